"""Which known entity a name means; `knowledge/test_naming.py` holds what comes of it over time."""

from anamnesis_memory.domain.entities.choosing import EntityCandidate, by_full_name, choose
from anamnesis_memory.domain.entities.kinds import EntityKind as K
from anamnesis_memory.domain.entities.names import EntityName, KnownEntity, Named, Spelling


def known(name: str, kind: K = K.PERSON, *told: str, number: int = 1) -> EntityCandidate:
    """One that was called by a name, with others that were told."""
    names = tuple(
        EntityName("shared", Spelling.of(each, kind), each != name, 1, place, place)
        for place, each in enumerate((name, *told))
    )
    return EntityCandidate(KnownEntity(f"e-{number}", kind, number, names=names), kind)


def test_rows_decide_in_order() -> None:
    near, told = known("Dr. Ann Alee"), known("Annie", K.PERSON, "Ann Alee", number=2)
    together, written = known("AnnAlee", number=3), known("ann alee", number=4)
    said = Named("Ann Alee", K.PERSON)
    assert choose(said, [near, told, together, written]) == written
    assert choose(said, [near, told, together]) == together
    assert choose(said, [near, told]) == told
    assert choose(said, [near]) == near
    assert choose(said, []) is None


def test_its_own_kind_comes_before_an_unknown_one_and_another_is_never_meant() -> None:
    place, person, unknown = (known("Jordan", kind) for kind in (K.PLACE, K.PERSON, K.UNKNOWN))
    assert choose(Named("Jordan", K.PERSON), [place, unknown, person]) == person
    assert choose(Named("Jordan", K.PERSON), [place, unknown]) == unknown
    assert choose(Named("Jordan", K.PERSON), [place]) is None
    assert choose(Named("Jordan"), [place, unknown, person]) == place, "the eldest, of any kind"


def test_a_name_of_an_unknown_one_comes_before_another_name_of_its_own_kind() -> None:
    told, unknown = known("Mara Lopez", K.PERSON, "ML"), known("ML", K.UNKNOWN, number=2)
    assert choose(Named("ML", K.PERSON), [told, unknown]) == unknown


def test_of_several_none_is_meant_but_by_the_name_itself() -> None:
    told = [known(name, K.PERSON, "ML", number=number) for number, name in enumerate("ab")]
    assert choose(Named("ML", K.PERSON), told) is None
    assert choose(Named("ML"), told) is None
    slips = [known("Kubernetes", K.ITEM), known("Kubernettes", K.ITEM, number=2)]
    assert choose(Named("Kuberntes", K.ITEM), slips[:1]) == slips[0]


def test_without_a_kind_only_names_count() -> None:
    assert choose(Named("Mara Lopez"), [known("Dr. Mara Lopez")]) is None
    assert choose(Named("Kuberntes"), [known("Kubernetes", K.TECHNOLOGY)]) is None


def test_two_with_full_names_are_not_one_by_a_short_one() -> None:
    lopez = known("Mara Lopez", K.PERSON, "Mara")
    assert choose(Named("Mara Lund", K.PERSON, ("Mara",)), [lopez]) is None
    assert choose(Named("Dr. Mara Lopez", K.PERSON, ("Mara",)), [lopez]) == lopez
    assert choose(Named("Mara", K.PERSON), [lopez]) == lopez
    topic = known("query planner", K.TOPIC, "planner")
    assert choose(Named("cost planner", K.TOPIC, ("planner",)), [topic]) is None
    assert choose(Named("planner", K.TOPIC, ("join order",)), [topic]) == topic


def test_who_goes_by_the_short_name_of_another_is_named_in_full() -> None:
    mara = known("Mara", K.PERSON, "Mara Lopez")
    said = Named("Mara", K.PERSON, ("M.", "Mara Lund"))
    assert choose(said, [mara]) == mara
    assert by_full_name(said, mara) == Named("Mara Lund", K.PERSON, ("Mara", "M."))
    same = Named("Mara", K.PERSON, ("Mara Lopez",))
    assert by_full_name(same, mara) == same
