"""Presidio's recognisers as a baseline, as a system would run them that needs no language model.

A blank spaCy pipeline, no downloads, only recognisers of kinds that we have too, and telephone
numbers of China besides its own regions, since half of the texts are Chinese. What it is not sure
of at all (a score under 0.3: nine digits without a word that says what they are) is left out,
which spares it more false positives than it costs hits.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from anamnesis_libs.redaction.ports import RedactedSpan

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

SCORE_MIN = 0.3
_KINDS = {
    **{kind: kind for kind in ("EMAIL_ADDRESS", "PHONE_NUMBER", "IP_ADDRESS", "CREDIT_CARD")},
    **{kind: kind for kind in ("IBAN_CODE", "US_SSN", "UUID")},
}
_REGIONS = ("US", "UK", "DE", "FE", "IL", "IN", "CA", "BR", "CN")
_LANGUAGE = "en"


class Presidio:
    """The spans that Presidio replaces."""

    def __init__(self) -> None:
        self._analyzer = _analyzer()

    def find(self, text: str) -> Sequence[RedactedSpan]:
        """The spans of which Presidio is at least a little sure."""
        results = self._analyzer.analyze(
            text, language=_LANGUAGE, entities=list(_KINDS), score_threshold=SCORE_MIN
        )
        return [RedactedSpan(_KINDS[one.entity_type], one.start, one.end) for one in results]


def _analyzer() -> "AnalyzerEngine":
    import spacy
    import tldextract
    from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
    from presidio_analyzer import predefined_recognizers as known
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    # Else the first address that looks like e-mail asks the network for a list of domains.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    engine = SpacyNlpEngine(models=[{"lang_code": _LANGUAGE, "model_name": "blank"}])
    engine.nlp = {_LANGUAGE: spacy.blank(_LANGUAGE)}
    recognizers = [
        known.EmailRecognizer(),
        known.PhoneRecognizer(supported_regions=_REGIONS),
        known.IpRecognizer(),
        known.CreditCardRecognizer(),
        known.IbanRecognizer(),
        known.UsSsnRecognizer(),
        known.UuidRecognizer(),
    ]
    return AnalyzerEngine(
        registry=RecognizerRegistry(recognizers, supported_languages=[_LANGUAGE]),
        nlp_engine=engine,
        supported_languages=[_LANGUAGE],
    )
