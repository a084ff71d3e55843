"""English words that a capital does not make a name: of grammar, of the calendar, everyday ones."""

from functools import cache

import faker.providers.lorem.en_US as lorem

from anamnesis_ingestion.learning.local.english_words import words_of

GRAMMAR = words_of(
    "a an the this that these those i me my mine myself you your yours he him his she her hers it"
    " its we us our ours they them their theirs who whom whose which what when where why how all"
    " any both each every either neither none no not nor some such same other another one two"
    " three and or but so yet for because since while although though if unless until as than"
    " then there here of to in on at by with from into onto over under about after before between"
    " through during without within against toward towards upon off out up down am is are was"
    " were be been being do does did done have has had having will would can could may might must"
    " shall should ought let lets don't doesn't didn't isn't aren't wasn't weren't won't can't"
    " couldn't wouldn't shouldn't haven't hasn't hadn't i'm i've i'd i'll you're you've you'll"
    " we're we've we'll they're they've it's that's there's here's what's who's he's she's let's"
    " also just only even still again too very more most much many few less least several own via"
    " per vs etc"
)
CALENDAR = words_of(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays"
    " thursdays fridays saturdays sundays january february march april may june july august"
    " september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon"
    " tue wed thu fri sat sun spring summer autumn winter today tomorrow yesterday tonight am pm"
)
PEOPLES = words_of(
    "american british english french german spanish italian portuguese dutch belgian swiss"
    " austrian polish czech hungarian romanian bulgarian greek turkish russian ukrainian swedish"
    " norwegian danish finnish icelandic irish scottish welsh chinese japanese korean vietnamese"
    " thai indian indonesian malay arabic arab hebrew israeli persian iranian egyptian moroccan"
    " african australian canadian mexican brazilian argentinian chilean peruvian colombian cuban"
    " european asian latin mandarin cantonese hindi bengali urdu swahili christian muslim jewish"
    " buddhist hindu catholic catalan basque welshman filipino tagalog estonian latvian"
    " lithuanian croatian serbian slovak slovenian nigerian kenyan ethiopian western eastern"
    " northern southern"
)
ACRONYMS = words_of(
    "ok okay tv pc ui ux api apis sdk cli url urls uri http https html css json xml yaml toml csv"
    " tsv pdf png jpg jpeg gif svg mp3 mp4 zip ide db sql id ids uuid cpu gpu ram ssd hdd usb lan"
    " vpn dns ip tcp udp ssh ssl tls ftp ci cd pr prs mr qa hr it ai ml llm llms nlp rag ceo cto"
    " cfo coo cmo vp svp phd mba msc bsc ba ma md dna rna faq eta eod asap fyi btw imo imho tldr"
    " lol omg wtf diy gmt utc est pst cet kpi okr roi mvp poc sla slo crud rest oop tdd orm cors"
    " jwt oauth sso mfa 2fa gps sms pin atm adhd ptsd icu er gp bbq dm dms rsvp ps nb ii iii iv"
    " vi vii viii ix todo fixme note warning error info debug get post put patch delete head null"
    " true false nan readme am pm bc ad us eu b2b b2c saas paas iaas nda gdpr tbd tba na b kb mb"
    " gb tb kib mib gib utf-8 ascii ms px fps rpm mph kg l0 l1 l2 q1 q2 q3 q4 v1 v2 v3 a4 eur usd"
    " gbp cny jpy chf prd jd aka vat"
)
_EVERYDAY = words_of(
    "absolutely actually agreed ah alright amazing apologies apparently awesome aww basically"
    " besides bye especially eventually fortunately gratefully importantly initially mainly mostly"
    " normally previously recently regardless simply suddenly surprisingly thankfully typically"
    " ultimately"
    " certainly cheers classic clearly congrats congratulations cool correct currently damn dear"
    " definitely done exactly excellent fair fantastic finally fine fingers generally glad good"
    " goodbye got great guess haha happy hello hey hi hmm honestly hope hopefully however huge"
    " hurry incredible indeed instead interesting ironically kudos last lately later literally"
    " lol looking lovely luckily maybe meanwhile morning moreover nah never nice nope nothing now"
    " obviously oh okay once otherwise overall perfect perhaps personally please plus pretty"
    " probably quick quite really right sadly same see seriously similarly sorry sounds speaking"
    " still super sure surely thank thanks therefore thus totally true truly ugh unfortunately"
    " usually wait well whatever whenever wherever whoever wonderful wow yay yeah yep yes yikes"
    " yup add ask avoid be begin book bring build buy call change check choose clean click close"
    " come compare consider cook copy create cut delete deploy describe do draw drink drop eat"
    " edit enjoy ensure everything everyone everybody anything anyone anybody something someone"
    " somebody nobody explain export feel fetch fill find finish fix follow forget generate get"
    " give go grab grow handle hear help hold import imagine implement include insert install"
    " join keep know learn leave list listen live load look love make mark meet merge mind move"
    " need notice open order pack paint pay pick plan play prefer print propose pull push put"
    " read recall refactor release remember remind remove rename replace reply report rerun rest"
    " restart return review rewrite run save say schedule search select sell send set share show"
    " sign sit sleep sort speak stand start stay stop store submit summarize support suppose swap"
    " switch take talk teach tell test think throw tie translate try turn type understand update"
    " upgrade upload use visit wake walk want wash watch wish wonder work worry write mom dad mum"
    " mommy daddy grandma grandpa granny sister brother mother father aunt uncle cousin wife"
    " husband son daughter baby kid kids boss doctor teacher coach friend team guys folks people"
    " person man woman boy girl family server client user users admin agent assistant bot system"
    " app website page file folder code bug issue issues feature project task tasks meeting email"
    " message question answer problem solution step steps summary result results example version"
    " data table index query model token prompt session context memory section chapter part"
    " option options goal goals idea ideas plan plans risk risks decision decisions action"
    " actions next first second third finally new old big small long short high low early late"
    " best better worst worse bad total key main important final draft status background overview"
    " conclusion introduction appendix figure tip tips pros cons day days week weeks month months"
    " year years night evening afternoon weekend birthday holiday holidays dinner lunch breakfast"
    " coffee tea school university college hospital company office home house city country street"
    " park river lake mountain island beach airport station bridge museum library church club"
    " bank ministry institute department government calendar internet web mail god earth world"
    " north south east west black white red green blue yellow pink purple brown grey gray orange"
    " gold silver dog cat went saw met had made took came bought found said told asked heard left"
    " kept lost won felt ran grew began wrote spent thought seems looks feels turns makes goes"
    " comes gets says means works needs wants plays likes loves hates deep machine learning"
    " general special public private open local global international national royal grand central"
    " cinnamon vanilla nutmeg paprika peer peers"
    " senior junior chief head vice president manager director engineer professor captain king"
    " queen prince princess lord lady sir madam mr mrs ms miss dr prof"
)

_QUALITIES = ("fulness", "lessness", "iness", "tion", "ism")
"""Endings of nouns for what is no person: "Mindfulness", "Meditation"."""


@cache
def ordinary() -> frozenset[str]:
    """Every such word, in lower case; the most are the common words that Faker lists."""
    return frozenset(
        {*GRAMMAR, *CALENDAR, *PEOPLES, *ACRONYMS, *_EVERYDAY, *lorem.Provider.word_list}
    )


def is_ordinary(word: str) -> bool:
    """True if a word is no name by itself, as it is or as a form of a verb or an adverb."""
    low = word.casefold().replace("’", "'")
    stem = low.removesuffix("'s")
    return (stem in ordinary() or stem.endswith(_QUALITIES)) or any(
        low.endswith(ending) and _stems(low.removesuffix(ending))
        for ending in ("ing", "ed", "ly", "s")
    )


def _stems(stem: str) -> bool:
    """True if an ordinary word is left once an ending is cut off."""
    return len(stem) > 1 and not ordinary().isdisjoint({stem, f"{stem}e", stem[:-1]})
