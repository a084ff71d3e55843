"""Recognisers of tokens that a provider marks with a prefix of its own, one row a provider.

They need no word beside them. The rules are those of `patterns.py`; what is all one character, or
says that a token goes there, is none.
"""

from anamnesis_libs.redaction.recogniser import END, START, Recogniser, recogniser
from anamnesis_libs.redaction.values import is_token

_UPPER_AND_LOWER = r"(?=[A-Za-z0-9_-]{0,64}[0-9])(?=[a-z0-9_-]{0,64}[A-Z])(?=[A-Z0-9_-]{0,64}[a-z])"

_GITLAB_PREFIXES = (
    *("glpat-", "gldt-", "glft-", "glffct-", "glimt-", "glagent-", "gloas-", "glptt-"),
    *("glcbt-", "glrt-", "glrtr-", "glsoat-", "glwt-"),
)
_GITLAB = (
    rf"{START}gl(?:pat|dt|ft|ffct|imt|agent|oas|ptt|cbt|rt|rtr|soat|wt)-"
    r"[A-Za-z0-9_.-]{19,}[A-Za-z0-9_-]"
)

_PREFIXED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("ops_eyj",), r"ops_eyJ[A-Za-z0-9+/]{60,}={0,3}"),
    (("a3-",), r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    (("p8e-",), r"p8e-[a-f0-9]{32}"),
    (("ltai",), r"LTAI[A-Za-z0-9]{16,24}"),
    (("akcp",), r"AKCp[A-Za-z0-9]{69}"),
    (("cmvmd",), r"cmVmd[A-Za-z0-9]{59}"),
    (("atatt3", "atctt3"), r"AT[AC]TT3[A-Za-z0-9_=-]{40,}"),
    (("4b1d",), rf"{_UPPER_AND_LOWER}4b1d[A-Za-z0-9]{{38}}"),
    (("clojars_",), r"CLOJARS_[a-z0-9]{60}"),
    (("v1.0-",), r"v1\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
    (("dop_v1_", "doo_v1_", "dor_v1_"), r"do[opr]_v1_[a-f0-9]{64}"),
    (("dp.pt.", "dp.st."), r"dp\.[ps]t\.[A-Za-z0-9.]{40,}"),
    (("duffel_",), r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    (("dt0c01.",), r"dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    (("ezak", "eztk"), r"EZ[AT]K[A-Za-z0-9]{54}"),
    (("flwpubk", "flwseck"), r"FLW(?:PUB|SEC)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"),
    (("fio-u-",), r"fio-u-[A-Za-z0-9_=-]{64}"),
    (("fo1_", "fm1_", "fm2_"), r"f(?:o1_[A-Za-z0-9_-]{43}|m[12]_[A-Za-z0-9+/]{100,}={0,3})"),
    (("glc_", "glsa_"), r"gl(?:c_[A-Za-z0-9+/]{32,}={0,3}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})"),
    (("eyjrijoi",), r"eyJrIjoi[A-Za-z0-9]{60,}={0,3}"),
    (("pat.", "sat."), r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    (("hvs.", "hvb."), r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    (("s.",), rf"s\.{_UPPER_AND_LOWER}[A-Za-z0-9]{{24}}"),
    (("hrku-aa",), r"HRKU-AA[A-Za-z0-9_-]{40,}"),
    (("ico-",), r"ico-(?=[a-z0-9]{0,32}[A-Z])[A-Za-z0-9]{32}"),
    (("s-s4t2",), r"s-s4t2(?:ud|af)-[a-f0-9]{64}"),
    (("lin_api_",), r"lin_api_[A-Za-z0-9]{40}"),
    (("key-", "pubkey-"), r"(?:pub)?key-[a-f0-9]{32}"),
    (("nrak-", "nrjs-", "nrii-", "nrra-"), r"NR(?:AK|JS|II|RA)-[A-Za-z0-9-]{19,}"),
    (("ntn_",), r"ntn_[0-9]{11}[A-Za-z0-9]{32}(?:[A-Za-z0-9]{3})?"),
    (("api-",), r"API-(?=[A-Z]{0,26}[0-9])[A-Z0-9]{26}"),
    (("sha256~",), r"sha256~[A-Za-z0-9_-]{43}"),
    (("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,}"),
    (("pmak-",), r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    (("pnu_",), r"pnu_[A-Za-z0-9]{36}"),
    (("pul-",), r"pul-[a-f0-9]{40}"),
    (("rdme_",), r"rdme_[a-z0-9]{70}"),
    (("rubygems_",), r"rubygems_[a-f0-9]{48}"),
    (("tk-us-",), r"tk-us-[A-Za-z0-9_-]{48}"),
    (("sg.",), r"SG\.[A-Za-z0-9=_-]{20,24}\.[A-Za-z0-9=_-]{39,50}"),
    (("xkeysib-",), r"xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    (("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_]{40,}"),
    (("sm_pat_", "sm_aat_", "sm_sat_"), r"sm_[pas]at_[A-Za-z0-9]{16}"),
    (("shippo_",), r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    (("shpss_", "shpat_", "shpca_", "shppa_"), r"shp(?:ss|at|ca|pa)_[A-Fa-f0-9]{32}"),
    (("sgp_",), r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}"),
    (("sq0",), r"sq0[a-z]{3}-[^\s\"'`<>]{22,43}"),
    (("eaaa",), rf"{_UPPER_AND_LOWER}EAAA[A-Za-z0-9+=_-]{{40,64}}"),
    (("sqp_", "sqa_", "squ_"), r"sq[apu]_[A-Za-z0-9]{40}"),
    (("sk",), r"SK[a-f0-9]{32}"),
    (("tskey-",), r"tskey-[a-z]{2,10}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{10,}"),
    (("dapi",), r"dapi[a-f0-9]{32}(?:-[0-9])?"),
    (("age-secret-key-1",), r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    (("dckr_pat_",), r"dckr_pat_[A-Za-z0-9_-]{24,}"),
    (("figd_",), r"figd_[A-Za-z0-9_-]{36,}"),
    (("tfp_",), r"tfp_[A-Za-z0-9._=-]{59}"),
    (("r8_",), r"r8_[A-Za-z0-9]{37}"),
    (("pplx-",), r"pplx-[A-Za-z0-9]{40,}"),
    (("phc_", "phx_"), r"ph[cx]_[A-Za-z0-9]{40,}"),
    (("bkua_",), r"bkua_[a-f0-9]{40}"),
    (("aqvn",), r"AQVN[A-Za-z0-9_-]{35,38}"),
    (("t1.",), r"t1\.[A-Z0-9a-z_-]{1,128}={0,2}\.[A-Za-z0-9_-]{86}={0,2}"),
    ((":aa",), r"(?<=[0-9]):AA[A-Za-z0-9_-]{33}"),
    ((".atlasv1.",), r"(?<=[A-Za-z0-9])\.atlasv1\.[A-Za-z0-9=_-]{60,70}"),
)


def _row(cues: tuple[str, ...], pattern: str) -> Recogniser:
    start = "" if pattern.startswith("(?<=") else START
    return recogniser("CREDENTIAL", cues, rf"{start}(?:{pattern}){END}", check=is_token, long=True)


GITLAB: tuple[Recogniser, ...] = (
    recogniser("GITLAB_TOKEN", _GITLAB_PREFIXES, _GITLAB, check=is_token, long=True),
    recogniser(
        "GITLAB_TOKEN",
        ("gr1348941",),
        rf"{START}GR1348941[A-Za-z0-9_-]{{20,}}",
        check=is_token,
        long=True,
    ),
)
PROVIDERS: tuple[Recogniser, ...] = tuple(_row(cues, pattern) for cues, pattern in _PREFIXED)
