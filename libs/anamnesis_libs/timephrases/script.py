"""One spelling for the rules: traditional characters and full-width digits become plain ones.

Every character is replaced by one character, so that places in the text stay where they were.
"""

_TRADITIONAL = (
    "週個後點兩禮號內過來這國慶聖誕勞動節間鐘時會級輕齡餅紀從開將準備計劃還當剛經議機"
    "兒場長氣臺樓線歷員門館碼劇終結約協圖現書舊業務進預達頭報誌養題卻邊圍轉裡續"
)
_SIMPLIFIED = (
    "周个后点两礼号内过来这国庆圣诞劳动节间钟时会级轻龄饼纪从开将准备计划还当刚经议机"
    "儿场长气台楼线历员门馆码剧终结约协图现书旧业务进预达头报志养题却边围转里续"
)
_WIDE = "０１２３４５６７８９：／－～　’"
_PLAIN = "0123456789:/-~ '"
_TABLE = str.maketrans(_TRADITIONAL + _WIDE, _SIMPLIFIED + _PLAIN)


def normalised(text: str) -> str:
    """The text as the rules read it; as long as it was."""
    return text.translate(_TABLE)
