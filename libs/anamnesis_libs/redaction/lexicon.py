"""Names that people have, and words that look like them.

The names are those that Faker carries for its many languages; what its word and place lists hold,
or the list below, is a name only beside a surname.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterable
from dataclasses import dataclass

import faker.providers.address.en_US as addresses
import faker.providers.lorem.en_US as lorem
import faker.providers.person as persons

from anamnesis_libs.redaction.wordlist import words

_GIVEN_ATTRIBUTES = ("first_names", "first_names_male", "first_names_female")
_SURNAME_ATTRIBUTES = ("last_names",)
_LETTERS_MIN = 3
_LATIN = re.compile(r"[A-Z\u00c0-\u00de\u0100-\u024f][A-Za-z\u00c0-\u024f'’-]+")


# Given names that are more often something else: products, places, days, words.
_AMBIGUOUS = words(
    """
    Abel Ace Action Ada Admin Agne Alba Alexa Alma Amber Amen Amor An Andes Angel Apollo April
    Archer Ari Art Asia Aspen Astra Athena Atlas August Aura Aurora Austin Autumn Avery Azure Bay
    Beau Bell Berlin Bill Bishop Blaze Blue Boston Brook Brooklyn Cairo Camden Candy Carolina
    Carter Cash Celeste Chad Chance Chase Chelsea Cherish Cherry China Christian Claude Clay Cliff
    Cloud Colt Cooper Coral Cordoba Cruz Crystal Cuba Daisy Dakota Dale Dallas Danish Dash Dawn
    Dean December Delta Denver Destiny Diamond Dolly Don Drake Drew Duke Dutch Eagle Earl Easter
    Echo Eden Edit Elixir Elm Ember Emerald Essence Ever Faith February Fern Fidel Fig Flora
    Florence Forest Fox Frank Freedom Friday Gale Gay Gem Gemma Gene Genesis Geneva Georgia German
    Ginger Glen Gold Grace Grant Guy Happy Harbor Haven Hazel Heather Helm Holly Honor Hope Hudson
    Hunter Ian India Indigo Ine Ion Iris Israel Ivory Ivy Jack Jade Jame January Jasmine Java
    Jersey Jet Jewel Jordan Journey Joy Judge Jules Julia July Junction June Juno Jupiter Justice
    Kent King Kit Kong Lance Lane Laurel Law Leaf Lean Lee Levi Liberty Lily Lima Link London Long
    Lourdes Love Lucky Luna Mac Madison Major Malta Mara March Mark Mars Marvel Mason Max May Mel
    Mercy Merry Mika Milan Miles Min Miracle Misty Monday Montana Morgan Mui My Ned Nil Noble Norm
    Norman Nova November Oak Ocean October Odessa Olive Ollie Opal Orion Page Paige Paris Parker
    Pat Pearl Penny Pepper Perry Petra Phoenix Pierce Piper Porter Prince Princess Puma Queen
    Quest Quick Rain Ray Reed Remy Rex Rich Rio River Rob Robin Rocky Roll Roma Roman Rome Rose
    Rosemary Royal Ruby Rusty Ryder Sage Said Sally Salvador Santiago Saturday Savannah Scala
    Scarlet Scout September Serenity Shell Sherry Sienna Sierra Silver Skip Sky Sol Sonata Sonny
    Spencer Star Stella Sterling Stone Storm Sue Summer Sunday Sunny Sunshine Sydney Tab Tanner
    Tesla Texas Thanks Theme Ties Tiger Time Titan Tom Tone Tracy Trinity Troy Tucker Tuesday Ty
    Unique Unknown Val Valencia Van Vanilla Vera Verona Victor Victoria Vienna Violet Virginia
    Wade Wednesday West Will Willow Wing Winter Wolf Wow Wren Yang Yep Yoga Young Zen Zion
    """
)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Names in Latin script, capitalised."""

    given: frozenset[str]
    surnames: frozenset[str]
    ambiguous: frozenset[str]
    """Words that stand for something else unless a surname follows."""


def load_lexicon() -> Lexicon:
    """Read all names; takes a tenth of a second."""
    given, surnames = set[str](), set[str]()
    for module in pkgutil.iter_modules(persons.__path__):
        if module.ispkg:
            provider = importlib.import_module(f"{persons.__name__}.{module.name}").Provider
            given.update(_latin(provider, _GIVEN_ATTRIBUTES))
            surnames.update(_latin(provider, _SURNAME_ATTRIBUTES))
    common = {word.capitalize() for word in lorem.Provider.word_list}
    places = {word for name in _places() for word in name.split()}
    ambiguous = common | places | _AMBIGUOUS
    return Lexicon(frozenset(given), frozenset(surnames), frozenset(ambiguous))


def _latin(provider: type[object], attributes: Iterable[str]) -> Iterable[str]:
    """The names of a language, as far as it has any in Latin script."""
    for attribute in attributes:
        names = getattr(provider, attribute, ())
        for name in () if isinstance(names, property) else names:
            if len(name) >= _LETTERS_MIN and _LATIN.fullmatch(name):
                yield name


def _places() -> Iterable[str]:
    provider = addresses.Provider
    return (*provider.countries, *provider.states, *provider.street_suffixes)
