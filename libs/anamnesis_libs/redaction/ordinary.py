"""Words of ordinary talk about secrets, which are none themselves."""

from anamnesis_libs.redaction.wordlist import words

ORDINARY = words(
    """
    correct incorrect wrong right valid invalid secure insecure safe unsafe weak weaker strong
    stronger strongest long longer short shorter optional mandatory necessary missing empty
    blank null none nil undefined unset unknown known hidden visible secret public private plain
    plaintext cleartext active inactive broken gone lost stolen reset set fine good great okay bad
    better best worse worst terrible awful easy easier hard harder simple simpler complex random
    unique same different similar identical obvious old older newer fresh temporary temp
    permanent default standard custom generic global local common personal sensitive confidential
    here there below above inside outside somewhere elsewhere everywhere yours mine ours theirs hers
    that this these those what which whose whoever them something anything everything nothing
    another either neither both enough also always never often still only just really very quite
    pretty super rather extremely totally maybe perhaps about almost around some more less most
    least many much case-sensitive case-insensitive strict important essential critical redundant
    relevant irrelevant available unavailable present absent ready done complete incomplete weird
    strange funny silly stupid dumb cool nice worth like crucial vital from with without within
    into when while until because since during before after than then such sent given made kept
    found written typed denied rotten constant current recent late wireless string text boolean
    integer number object type types field fields form forms input inputs value values name names
    email phone date true false hello example sample placeholder tbd todo asterisks gibberish
    character characters letter letters digit digits word words symbol symbols alphanumeric numeric
    uppercase lowercase mixed manager managers policy policies generator prompt prompts page pages
    hash hashes hint hints reuse rotation recovery change changes check checks login logins sign
    screen flag flags option options argument arguments param parameter parameters switch switches
    combination pair pairs auth authentication required protected readonly read-only one-time
    time-limited long-lived short-lived user-specific self-explanatory out-of-date up-to-date
    write-only plain-text clear-text write written bytes list dict tuple varchar secretstr
    optional[str] must should would could cannot will shall does have been were patience time
    honesty practice kindness trust simplicity communication consistency love butter salt
    automatic manual external internal unencrypted unchanged unclear tricky super-secret top-secret
    immutable mutable encrypted-at-rest everybody everyone nobody someone your their work home
    transparent independent dependent persistent consistent compliant ancient urgent
    perfect garbage trash junk history nonsense trivial crazy decent slow fast quick bcrypt argon
    scrypt english spanish french german latin italian russian chinese japanese arabic greek
    password passwords passwd pass passphrase passcode token tokens user username account accounts
    tips overview summary notes details introduction guide usage steps description requirements
    options settings configuration security length strength legit solid tough clever smart lame
    brilliant amazing excellent awesome horrible hilarious stupidly kinda sorta like dead alive
    mad sad happy sorry busy late early ugly pretty cute neat messy dirty clean clear vague rare
    real fake false genuine original natural normal usual unusual typical classic modern basic
    advanced final initial main primary secondary single double triple first second third last
    next previous half full whole partial total exact rough close near away back down over under
    again later soon today tomorrow yesterday tonight forever never once twice high higher low lower
    big bigger huge small smaller tiny short-ish longish fifteen twelve twenty thirty four five six
    seven eight nine eleven hundred thousand memorable cryptic stale rubbish rotated process import
    export content contents data info information context env environment config database server
    client service process vault keychain keyring manager notebook paper fridge sticky spam bogus
    toast moot mine's everyone's bull cheap free expensive worthy worthwhile tricky fiddly picky
    finicky sloppy lazy easy-peasy harmless private-ish shareable
    hopeless legal illegal moral sane insane sensible fair unfair
    """
)
"""Words that a sentence about a password says of it, and types, fields and the like in code."""

OPENS_TALK = words(
    """
    too not a an the no at must should is in your please only more less very this that invalid
    incorrect wrong required cannot does for to it of if
    """
)
"""Words that open a remark, not a passphrase."""

AFTER_OPTIONS = words(
    """
    flag flags option options argument arguments param parameter parameters switch value values
    works takes expects requires needs can will should must does but not then so because instead
    when if while without
    """
)
"""Words that stand behind the name of an option in a sentence about it."""

FUNCTION_WORDS = words(
    """
    a an the of for to in on at is are was be by or and that which you your we i it this with as
    from must should can will not used words
    """
)
"""Words that tie others together."""
