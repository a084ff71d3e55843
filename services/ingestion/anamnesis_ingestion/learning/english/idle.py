"""Words that say nothing by themselves: deeds that carry no news, objects that nobody finds again.

"Made some progress" and "had a great time" tell a mood, "met someone" and "watched a movie" leave
out who and which, "the dark sky" is what both of those who talk can see. The lists stand in
`words.toml`.
"""

from spacy.tokens import Token

from anamnesis_ingestion.learning.english.frames import Statement
from anamnesis_ingestion.learning.english.tree import child, children, is_title, lemma
from anamnesis_ingestion.learning.english.values import is_vague
from anamnesis_ingestion.learning.english.vocabulary import words

_OWN = frozenset({"compound", "nmod", "prep", "appos"})
_OF_OTHERS = frozenset({"their", "its", "his", "her"})
_MEANT = frozenset({"ones", "those"})
_CHOSEN = frozenset({"try", "decide", "choose"})
_TIMES_HAD = frozenset({"time", "blast", "fun", "trouble", "ball", "experience"})
_CHANCES = frozenset({"chance", "opportunity"})
_FUN = frozenset({"fun", "blast"})
_COUNTED = frozenset({"lot", "ton", "bit", "couple", "plenty", "kind", "all"})


def is_specific(token: Token) -> bool:
    """True for a noun that says something, and for what somebody begins or goes to do."""
    doing = (
        token.tag_ == "VBG" and token.dep_ == "xcomp" and lemma(token) not in words("idle_verbs")
    )
    told = token.pos_ in {"NOUN", "PROPN"} and not is_vague(token)
    return doing or (told and lemma(token) not in words("abstract") | words("shown"))


def is_described(noun: Token) -> bool:
    """True for "a transgender journey", and not for "a great day"."""
    own = [each for each in children(noun, "amod") if each.pos_ == "ADJ"]
    return any(lemma(each) not in words("plain") for each in own)


def is_name(token: Token) -> bool:
    """True for a name that is none of the calendar, and not for the "ok" of "doing ok"."""
    unnamed = words("days") | words("months") | words("discourse")
    return token.pos_ == "PROPN" and token.lower_ not in unnamed


def is_idle(verb: Token) -> bool:
    """True for "think", "had a great time", "getting stressed", "watched a movie"."""
    done = _done_below(verb)
    if done is not None:
        return is_idle(done)
    if lemma(verb) in words("works_verbs") and any(map(is_title, children(verb, "dobj"))):
        return False
    if lemma(verb) in words("idle_verbs"):
        return not (_is_found(verb) or _stays(verb) or _has_by_it(verb))
    held = children(verb, "dobj")
    if _was_somewhere(verb, held):
        return False
    return (
        (lemma(verb) == "do" and not held)
        or _is_of_mood(verb)
        or _is_thought(verb)
        or (lemma(verb) in words("carriers") and any(map(is_no_thing, held)))
        or _is_untold(verb, held)
    )


def _was_somewhere(verb: Token, held: list[Token]) -> bool:
    """True for "had a blast at the festival", where somebody was."""
    had = lemma(verb) == "have" and any(lemma(each) in _TIMES_HAD for each in held)
    at = [each for holder in (verb, *held) for each in children(holder, "prep")]
    places = [each for prep in at if prep.lower_ in {"at", "in"} for each in prep.children]
    return had and any(map(_is_found_again, places))


def _is_found_again(place: Token) -> bool:
    """True for "the Pride fest", "a concert", "a military memorial"."""
    known = is_name(place) or lemma(place) in words("events")
    told = is_described(place) or any(map(is_name, children(place, "compound")))
    return known or (is_specific(place) and told)


def _done_below(verb: Token) -> Token | None:
    """The deed that a verb brings in.

    "Tried surfing", "decided to run for office", "had a blast exploring the forest", "had the
    chance to volunteer there"; but not "tried to stay calm", which may have failed.
    """
    below = child(verb, "xcomp", "ccomp")
    if lemma(verb) in _CHOSEN and below is not None:
        return below if below.tag_ == "VBG" or lemma(verb) != "try" else None
    if lemma(verb) == "help" and below is not None:
        return below
    if lemma(verb) == "take" and any(lemma(each) == "step" for each in children(verb, "dobj")):
        return next((each for each in verb.subtree if each.dep_ == "pcomp"), None)
    if lemma(verb) not in {"have", "get"}:
        return None
    behind = [each for noun in children(verb, "dobj") for each in _behind(noun, verb)]
    return next((each for each in behind if child(each, "nsubj", "nsubjpass") is None), None)


def _behind(noun: Token, verb: Token) -> list[Token]:
    """The gerund of "had a blast exploring", the infinitive of "had the chance to explore"."""
    gerunds = [
        each
        for each in (*children(noun, "acl"), *children(verb, "advcl", "xcomp", "ccomp"))
        if each.tag_ == "VBG" and each.i > noun.i and lemma(noun) in _TIMES_HAD
    ]
    chances = [each for each in children(noun, "acl", "relcl") if lemma(noun) in _CHANCES]
    return [*gerunds, *(each for each in chances if each.tag_ == "VB")]


def _is_found(verb: Token) -> bool:
    """True for "found a gym", "tried out yoga", "looking into politics"."""
    if lemma(verb) not in words("seeking_verbs"):
        return False
    held = children(verb, "dobj")
    if held and all(map(is_no_thing, held)):
        return False
    led = [each for each in children(verb, "prt", "prep") if each.lower_ in {"into", "for", "out"}]
    held = [each for each in held if not _is_unnamed(each)]
    done = bool(held) and verb.tag_ in {"VBD", "VBN", "VBG"}
    return bool(led) or (done and not _is_untold(verb, held))


def _stays(verb: Token) -> bool:
    """True for "stay in Bergen"."""
    places = [each for prep in children(verb, "prep") for each in children(prep, "pobj")]
    return lemma(verb) == "stay" and any(map(is_name, places))


def _has_by_it(verb: Token) -> bool:
    """True for "keep bees", and not for "keep going", "keep an eye on it"."""
    held = [each for each in children(verb, "dobj") if is_specific(each) and not is_no_thing(each)]
    told = any(lemma(each) not in words("bodies") for each in held)
    return lemma(verb) == "keep" and told and child(verb, "xcomp", "acomp", "oprd") is None


def _is_unnamed(held: Token) -> bool:
    """True for "a place with great light" and "something"."""
    own = child(held, "compound", "nmod", "appos")
    return is_vague(held) or (lemma(held) in words("vague") and own is None)


def _is_of_mood(verb: Token) -> bool:
    """True for "getting better at it", "getting stressed", "stoked for the game"."""
    moods = words("moods") | words("repels") | words("attracts") | words("inspires")
    felt = verb.tag_ == "VBN" and child(verb, "dobj") is None and lemma(verb) in moods
    sure = lemma(verb) == "make" and any(each.lower_ == "sure" for each in verb.children)
    return felt or sure or (lemma(verb) == "get" and child(verb, "acomp") is not None)


def _is_thought(verb: Token) -> bool:
    """True for "learned that ...", "starting to realize that ...", "got to see some spots"."""
    below = child(verb, "xcomp")
    if below is not None:
        seen = lemma(below) in words("idle_verbs") | words("encounters")
        return (lemma(verb) == "get" and seen) or _is_thought(below)
    minds = words("minds") | {"learn", "question", "know"}
    return lemma(verb) in minds and child(verb, "ccomp") is not None


def is_no_thing(held: Token) -> bool:
    """True for "some time", "a lot of work", "my best", and not for "a lot of books"."""
    if lemma(held) in _COUNTED:
        preps = (each for each in children(held, "prep") if each.lower_ == "of")
        return all(is_no_thing(each) for prep in preps for each in children(prep, "pobj"))
    idle = words("abstract") | words("no_things") | words("periods")
    beside = [each for each in children(held, "compound", "nmod") if not _is_praise(each)]
    had = any(lemma(each) in _FUN for each in beside)
    always = words("shown") | {"time", "break"}
    return had or lemma(held) in always or (lemma(held) in idle and not beside)


def _is_praise(beside: Token) -> bool:
    """True for the "thrilling" of "thrilling games", taken for a noun."""
    return beside.lower_.endswith("ing")


def _is_untold(verb: Token, held: list[Token]) -> bool:
    """True for whom nobody finds again, "met new people", and for a work without its title."""
    if lemma(verb) in words("encounters"):
        return not any(_is_known(each) or is_title(each) for each in held)
    if lemma(verb) == "make" and any(lemma(each) == "friend" for each in held):
        return not any(map(is_name, verb.subtree))
    if lemma(verb) == "run":
        into = [each for each in children(verb, "prep") if each.lower_ == "into"]
        met = [each for prep in into for each in children(prep, "pobj")]
        return bool(met) and not any(map(_is_known, met))
    if lemma(verb) not in words("works_verbs"):
        return False
    works = [each for each in held if lemma(each) in words("works")]
    return bool(works) and not any(is_name(each) for each in verb.subtree)


def _is_known(person: Token) -> bool:
    """True for whom one can find again: by a name, or as kin, a friend, a pet."""
    ties = words("kin") | words("acquaintances") | words("pets")
    return lemma(person) in ties or any(
        is_name(each) for each in person.subtree if each.dep_ != "relcl"
    )


def is_empty(stated: Statement) -> bool:
    """True for an object that says nothing: "encouragement", "the color", "seeing it"."""
    head = stated.head
    if stated.predicate in _EMPTY:
        return _EMPTY[stated.predicate](head)
    if stated.kind != "preference":
        return _is_occasion(head)
    if stated.predicate == "likes" and _is_nuisance(head):
        return True
    of_others = any(each.lower_ in _OF_OTHERS for each in children(head, "poss"))
    if stated.predicate == "values":
        return of_others or _is_bare(stated) or _is_shown(head)
    return of_others or _is_bare(stated) or _is_of_the_moment(head) or _is_light(stated)


def _is_nuisance(head: Token) -> bool:
    """True for "being stuck in traffic", which nobody loves but in jest."""
    inside = {each.lower_ for each in head.subtree} | {each.lower_ for each in head.ancestors}
    done = head.pos_ in {"VERB", "AUX", "ADJ"}
    return done and not inside.isdisjoint(words("nuisances"))


def _is_some_project(head: Token) -> bool:
    """True for "a project", and for the "fulfilling" of "a project: hard but fulfilling"."""
    bare = child(head, "det", "compound", "nmod", "prep", "dobj") is None
    some = lemma(head) == "project" and child(head, "compound", "nmod", "prep") is None
    return some or (bare and (head.lower_.endswith("ing") or head.pos_ not in {"NOUN", "PROPN"}))


def _is_unreal(pet: Token) -> bool:
    """True for "a stuffed dog"."""
    return any(each.lower_ in words("unreal") for each in pet.subtree)


def _is_praised(role: Token) -> bool:
    """True for "such an inspiring writer"."""
    return any(each.lower_ == "such" for each in role.children)


_EMPTY = {"works_on": _is_some_project, "has_pet": _is_unreal, "works_as": _is_praised}


def _is_bare(stated: Statement) -> bool:
    """True for "encouragement" and "the way it turned out"; what one values may be abstract."""
    abstract = words("abstract") if stated.predicate != "values" else frozenset()
    head = stated.head
    own = [each for each in children(head, "compound", "nmod") if each.lower_ != "spending"]
    told = is_described(head) or bool(own) or child(head, "prep", "acl") is not None
    told = told or any(lemma(each) == "be" for each in children(head, "relcl"))
    return not told and head.lower_ not in _MEANT and lemma(head) in words("vague") | abstract


def _is_occasion(head: Token) -> bool:
    """True for "a tough experience", which befell somebody, and not for "experience with Go"."""
    return lemma(head) == "experience" and any(each.lower_ in {"a", "an"} for each in head.children)


def is_proposed(head: Token) -> bool:
    """True for "the idea of a picnic", which somebody has just had."""
    the = any(each.lower_ == "the" for each in head.children)
    return the and lemma(head) in words("proposals")


def _is_of_the_moment(head: Token) -> bool:
    """True for "the color", "the dark sky and green scenery": nouns that point at what both see.

    "Love the sunset vibe", without its speaker, is said of what is before them.
    """
    first = head
    while first.dep_ == "conj":
        first = first.head
    if is_name(head) or not any(each.lower_ == "the" for each in first.children):
        return False
    shown = first.dep_ == "dobj" and first.head.i == first.sent.start
    return shown or all(child(each, *_OWN, "acl", "relcl") is None for each in (head, first))


def _is_shown(head: Token) -> bool:
    """True for "the flag mural", which one shows to whom one tells of it."""
    the = any(each.lower_ == "the" for each in head.children)
    return the and not is_name(head) and child(head, "prep", "acl", "relcl") is None


def _is_light(stated: Statement) -> bool:
    """True for "playing for fun", "helping others", "taking a look": no noun says what."""
    head = stated.head
    light = words("idle_verbs") | words("light_verbs") | words("encounters") | words("carriers")
    if head.tag_ not in {"VBG", "VB"} or lemma(head) not in light | {"spend"}:
        return False
    told = (each for each in head.subtree if each != head and each.text in stated.object)
    return not any(is_specific(each) and not is_no_thing(each) for each in told)
