"""Secrets told in English sentences go; ordinary talk about passwords, tokens and PINs stays."""

import pytest

from anamnesis_libs.redaction.ports import Redaction
from anamnesis_libs.redaction.redactor import PolicyRedactor

REDACTOR = PolicyRedactor()

TOLD = """
my password is [hunter2]
My password is [hunter2], please remember it.
my password is [swordfish].
The password's [Tr0ub4dor&3].
the wifi password is [sunflower42]
the wifi password is [BlueOcean!77], write it down
The Wi-Fi password for the guests is [maple-syrup-88].
the password for the router is [Zx9!kk21]
our netflix password is [Popcorn99] now
the password to the staging server is "[correct horse]"
the password is `[qwerty]`
my old password was [Fluffy2019], the new one is better
so the password is now [Summer24!]
I changed the password to [N3wPass-2024].
we reset the admin password to [Welcome1]
username admin, password [letmein]
username: admin password: [admin123]
user bob / password [s3cr3t]
login bob, pass [tiger77x]
log in as root with the password [toor2020]
use password [abc123xyz] for the demo
password [Hunter2!] should work
pw is [kitty1234]
pwd [kitty1234] for the box
password: [swordfish]
Password - [Bananas4ever]
the passphrase is [gr33n-apple-tree]
passphrase: [correct horse battery staple]
my passphrase is "[correct horse battery staple]"
the passcode is [90210]
my phone passcode is [482913]
my PIN is [4471]
the PIN for my card is [0815]
PIN: [4471]
PIN [4471] works on both cards
pin code is [8832]
the pin to my locker is [1357]
the gate code is [4471]
the gate code is [#4471]
the door code is [1928], press the bell after
alarm code: [7730]
the alarm code for the house is [55012]
the code for the garage is [3391]
entry code [2580] opens the front door
the access code is [77-41-09]
the lockbox code is [6623].
the code to the safe is [18-24-36]
the combination to the locker is [12-34-56]
the CVV is [123]
API key: [a1b2c3d4e5f6]
my api key is [9f8e7d6c5b4a3210]
the API key for the weather service is [abcd1234efgh5678]
secret key: [k3yV4lu3abcd]
the secret key is [Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB]
the deploy token is [tok9918273645xyz]
access token: [aa11bb22cc33]
the client secret is [c1i3nts3cr3tvalue]
mysql --user root --password [secret] shop
vault login --token [abcdef123456]
tool --api-key=[zzyyxx112233] run
deploy --password '[my pass]' now
[hunter2] is my password
[sunflower42] is the wifi password
use [hunter22] as the password
Verification code is [482913]
the backup code is [8842-1973]
Btw the login is jo and password is [Movie-Night-7]
The password that I use is [hunter2]
pass: [hunter2]
wifi pass is [tulips4all]
username: jo, password: [pineapple]
Please remember my password: [blueberry]
The garage code's [4471].
front door code [4471]
the keypad code at the office is [88231]
safe combo: [32-14-7]
The code to get in is [4471]
the OTP is [482913]
The OpenAI key is [abcd1234efgh5678ijkl]
use token [abcd1234efgh5678ijkl90] to authenticate
seed phrase: [witch collapse practice feed shame open despair creek road again ice least]
""".strip().splitlines()

ORDINARY = """
the password is too long
the password is wrong
My password is not working anymore.
my password is expired
the password is required
The password is at least 8 characters long.
the password is 8-character minimum
the password is 12 characters
a password is 16 letters or more
the password is case-sensitive
your password is case sensitive!
The password is hashed with SHA-256.
the password is base64 encoded
the password is sha256-hashed
the password is stored in the vault
the password is in 1Password
my password is the same as yours
Is the password correct?
password reset
I requested a password reset yesterday at 10:30.
I forgot my password again
a password manager helps
password-protected files
the password field is empty
username and password are required
username and password, please.
enter your username and password.
I changed the password to something stronger.
we changed the password to a longer one
reset your password to continue
the password policy is 90 days
the password was changed in 2023.
my wifi password is really hard to remember
The password is yours.
The passphrase is a sequence of words.
passphrase: the words that unlock the key
Password: optional
Password - required
the passcode is gone
my PIN stopped working
my PIN was blocked after 3 attempts
the PIN is 4 digits
a PIN is 4 to 6 digits long
PIN the tab
pin the message to the top
pin 13 is wired to the LED
I pinned 2024 photos
the PIN pad is broken
the gate code is broken
the gate code changed on 2024-05-01
the door code has 4 digits
the error code is 4041
the area code is 415
our zip code is 94110
exit code 137 means out of memory
the access code expired
the token expired
the token is invalid
the token is valid for 3600 seconds
the token is valid until 2025-01-01
the token limit is 128000
the token count was 4096
a token is about 4 characters
the token was rejected with 401
tokens are cheap: 100000 for a dollar
the API key is missing
the API key is set in config.py
the API key is read from OPENAI_API_KEY
API key: required
add your API key to the .env file
an api key is a string
the secret is patience
the secret key is stored in AWS
the secret to good bread is time
secret key: see the vault
use the --password option
pass --token to the script
--password or --token is needed
the --token flag was removed in 2.0
run it with --api-key $KEY
login --password <password>
the combination of both is 50 percent better
the combination lock is stuck
the verification code never arrived
the client secret is rotated every 90 days
Jo is my password manager of choice
that is the password
Boarding pass is A1B2C3
run it with --password alone
the password is a pain
the password is Latin for nothing
the password is garbage.
The password is English.
Your password is password.
Password: Tips
Password strength: weak
password attempts: 3
password=password, x
  password: hashedPassword,
    password: String,
const { username, password } = req.body
the user types the password twice
username: username, password: hashedPassword,
We use bcrypt12 as the password hash
I use 1Password as my password manager
the wifi password is on the back of the router
The token is a JWT
the token is ERC20 compatible
--token 4096
docker build --secret id=aws .
kubectl get secret
the next token is 15496
the secret is out
sort key is user_id_2024_created
author: "abcdefghijklmnopqrstuvwx12"
I entered my PIN 3 times
PIN 1024 nodes
a bowling pin is 15 inches tall
building code is 2021 IBC
entry code 404 not found
house code 1200 sq ft
the login code is 3000 lines
the code to my heart is love
the safe word is banana
pass 3 of 5
""".strip().splitlines()


@pytest.mark.parametrize("line", TOLD)
def test_a_secret_told_in_a_sentence_goes_and_nothing_else(line: str) -> None:
    before, rest = line.split("[", 1)
    secret, after = rest.split("]", 1)
    redacted = REDACTOR.redact(f"{before}{secret}{after}").text
    assert redacted == f"{before}<REDACTED_CREDENTIAL>{after}"
    assert REDACTOR.redact(redacted).text == redacted


@pytest.mark.parametrize("line", ORDINARY)
def test_ordinary_talk_of_secrets_stays(line: str) -> None:
    assert REDACTOR.redact(line) == Redaction(line)
