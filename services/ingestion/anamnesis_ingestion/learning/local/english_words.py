"""English words by what they do in a clause: the lexicon of the English rules."""


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set to look up in."""
    return frozenset(text.split())


KIN = (
    r"(?:great[- ])?(?:grand|step|god|half[- ]?|foster |ex[- ])?(?:mother|father|mum|mom|mam"
    r"|dad|daddy|mummy|parents?|sister|brother|son|daughter"
    r"|child|children|kids?|pa|ma|wife|husband|partner|spouse|fianc[ée]e?|girlfriend|boyfriend"
    r"|uncle|aunt|auntie|cousin|niece|nephew|twins?)"
    r"(?:[- ]in[- ]law)?|gran|granny|nan|nana|grandma|grandpa|granddad|in-laws|sibling|baby"
    r"|toddler|ex"
)
SOCIAL = (
    r"(?:best |old |close |good |dear )?(?:friend|mate|buddy|roommate|flatmate|housemate"
    r"|neighbou?r|colleague|co-?worker|teammate|boss|manager"
    r"|supervisor|advis[eo]r|mentor|tutor|teacher|coach|doctor|gp|dentist|therapist|physio"
    r"|lawyer|landlord|landlady|client|intern|assistant"
    r"|team ?lead|tech ?lead|cto|ceo|director|co-?founder|accountant|trainer|babysitter|nanny"
    r"|pen pal|student|apprentice|godfather|godmother"
    r"|godson|goddaughter|godchild|vet|counsellor|deputy|skip-level)"
)
PET = (
    r"(?:pet )?(?:dog|cat|puppy|kitten|rabbit|bunny|parrot|hamster|horse|pony|tortoise|turtle"
    r"|gecko|snake|goldfish|guinea pig|budgie|canary"
    r"|cockatiel|ferret|hen|labrador|retriever|poodle|terrier|collie|beagle|dachshund"
    r"|greyhound|spaniel|corgi)s?"
)
