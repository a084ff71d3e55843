"""Text that is said and yet asserts nothing: questions, hypotheses, role play, quotes.

Three reaches: a whole message (a text to translate, a game, an exercise), a sentence (a
question), a clause (an `if`). When in doubt nothing is learned.
"""

import re

from anamnesis_ingestion.learning.english.plainer import is_tagged
from anamnesis_ingestion.learning.english.splices import unspliced

_FLAGS = re.IGNORECASE

_MESSAGE = re.compile(
    # a text to work on
    r"^\W*(?:please |pls |can you |could you |would you |hey |now )*"
    r"(?:translate|summari[sz]e|paraphrase|rephrase|reword|rewrite|proofread|shorten|edit|polish"
    r"|correct|fix|improve|check)\b[^.!?\n]{0,50}(?::|'|\"|“|「|\bthis\b|\bfollowing\b)"
    r"|\b(?:shorten|rewrite|translate|summari[sz]e|proofread|rephrase|polish) (?:this|that|it"
    r"|these|the following)\b"
    r"|\b(?:how (?:do|would) (?:you|i) (?:say|translate)|what does .{1,80} mean"
    r"|grammar(?! school))\b"
    r"|\b(?:cover letter|bio|essay|poem|story|screenplay|dialogue|lyrics|speech|tweet"
    r"|caption)\b.{0,40}(?::|\babout\b)"
    r"|^\W*(?:write|draft|compose|generate|make up|invent|come up with)\b.{0,60}\b(?:a|an|some"
    r"|me)\b.{0,60}"
    r"\b(?:story|poem|essay|letter|song|scene|dialogue|monologue|character|persona|speech|joke"
    r"|example|bio|excuse|post|tweet|email)\b"
    r"|^\W*(?:please |pls |can you |could you |now )*(?:write|draft|compose|make|give|tell"
    r"|create)(?: me| us)? (?:a|an|some|the"
    r"|my)\b[^.!?:\n]{0,60}:"
    # a game
    r"|\b(?:pretend|role-?play(?:ing)?|(?<!can['’]t )(?<!cannot )(?<!couldn['’]t )imagine"
    r"|let['’]s say (?:i|you|we|he|she|that|there|a|the|my)\b"
    r"|(?<!\bi )suppose|supposing|(?<!\bi )assume|assuming"
    r"|hypothetically"
    r"|act as|play the (?:role|part)|you are (?:now )?an? (?!star\b|legend\b|life ?saver\b|gem\b"
    r"|genius\b|hero\b|great\b|true\b|real\b|good\b|friend\b|champ\b)|in character"
    r"|thought experiment|for the sake of argument"
    r"|what if|say i (?:was|were|had))\b"
    # somebody else's words or world
    r"|\b(?:in (?:the|this|my|a) (?:movie|film|novel|book|show|series|game|song|story|play"
    r"|episode|poem|manga)"
    r"|the (?:narrator|protagonist|villain|hero)|my (?:character|protagonist|villain)|main "
    r"character"
    r"|famous (?:line|quote)|as the (?:saying|line|song|proverb) goes|word problem)\b"
    r"|(?:帮我|幫我|请|請|给我|給我|麻烦|麻煩|能不能|可以)[^，。,]{0,8}翻[译譯]|把.{1,80}翻[译譯]|^\W*翻[译譯]"
    r"|翻[译譯](?:成|为|為|一下|这|這|以下|下面|[：:])|怎么翻|怎麼翻|译成|譯成|润色|潤色|改写|改寫|总结一下|總結一下|概括|缩写|扩写"
    r"|校对|造句|病句|阅读理解|閱讀理解"
    r"|应用题|应用題|写[^，。]{0,6}作文|作文[题題：:]|写(?:一|个|篇|段|首|封).{0,20}(?:故事|诗|小说|信|文案|台词|剧本|段子"
    r"|理由|邮件|范文|例子)"
    r"|寫(?:一|個|篇|段|首|封).{0,20}(?:故事|詩|小說|信|文案|台詞|劇本)"
    r"|随便编|隨便編|编一?个|編一?個|假设|假設|假如|假装|假裝|假定|扮演|角色"
    r"|你(?:现在)?是一[个名位]|想象一下|想像一下|比方说|設想|设想"
    r"|台词|台詞|歌词|歌詞|男主|女主|主人公|主角|小说里|小說裡|电影里|電影裡|剧里|書裡|书里|诗里"
    r"|转发[：:]|轉發[：:]|发件人|寄件人|這句|这句|这段(?!时间|日子|路)|這段(?!時間|日子|路)",
    _FLAGS | re.DOTALL,
)

_QUESTION = re.compile(
    r"[?？][\"'”’」』）)]*\s*$"
    r"|^\W*(?:so |and |but |well |ok(?:ay)? |hey |hi |also )*(?:what|when|where|who|whom|whose"
    r"|why|how|which|is|are|was|were"
    r"|do|does|did|can|could|would|will|should|shall|have|has|may|am|any "
    r"idea)(?:n['’]t)?\s+(?!i prefer)"
    r"(?:i|you|we|they|he|she|it|the|my|your|there|this|that|is|are|do|does|did|to|much|many"
    r"|long|about|come|else|anyone|someone|a)\b"
    r"|(?:吗|嗎|么|(?<!叫我.)(?<!叫我..)(?<!叫我...)吧|(?:什么|什麼|怎么|怎麼|谁|誰|哪|为何|為何|多少|几|幾|干嘛|幹嘛|该不该"
    r"|該不該|是不是|要不要|会不会|會不會|好不好|能不能).*呢"
    r"|^.{1,4}呢)[。！!~～…]*\s*$|^(?:请问|請問|为什么|為什麼|怎么|怎麼|如何|什么时候|有没有"
    r"|有沒有|能不能|能否|可不可以|是不是|谁|哪)",
    _FLAGS,
)
_NOT_ASKED = re.compile(
    r"^\W*(?:what|which|how)\b.{0,60}\b(?:is|was|matters|worked|works|helps|helped)\b", _FLAGS
)

_UNREAL = re.compile(
    r"\b(?:if|unless|in case|maybe|perhaps|possibly|probably|might|wish(?:es)?|hopefully"
    r"|wonder(?:ing)?|(?:what|how) if"
    r"|who knows|some ?day|one day|thinking (?:about|of|that|we|i)|considering|not sure|no "
    r"idea|i guess|i suppose|supposed to|could have|would have|should have"
    r"|would(?:n['’]t)?(?! (?:rather|like|prefer|love))|could(?:n['’]t)? be|should(?!er)"
    r"|may(?= (?:be|have|go|move|take|try|buy))"
    r"|imagine|dreamt|dreamed|dream(?:t|ed)? (?:that|about|of)|seems?(?: like)?|feels? like"
    r"|felt like|looks like|sounds like|it['’]s like|almost|nearly|had i|were i)\b"
    r"|如果|要是|若是|假使|假若|万一|萬一|也许|也許|或许|或許|可能|说不定|說不定|大概会|没准|沒準"
    r"|恨不得|但愿|但願|本来想|本來想|差点|差點|应该会"
    r"|應該會|不知道|不确定|不確定|考虑|考慮|犹豫|猶豫|要不要|会不会|會不會|梦见|夢見|梦到|再说吧"
    r"|再說吧|看情况|看情況|好像",
    _FLAGS,
)
_REAL_AFTER_ALL = re.compile(
    (
        r"\b(?:whenever i|(?:i|we)['’]d (?:rather|prefer|like|love)|would (?:rather|prefer)"
        r"|used to|(?:don['’]t|do not) (?:mind|want|like) if)\b"
    ),
    _FLAGS,
)

_QUOTED = re.compile(
    r"\"[^\"\n]{2,1000}\"|“[^”\n]{2,1000}”|「[^」\n]{2,1000}」|『[^』\n]{2,1000}』|«[^»\n]{2,1000}»"
    r"|(?<![\w])['‘][^'’\n]{0,300}(?:['’](?=\w)[^'’\n]{0,300}){0,20}['’](?!\w)"
)
_LONG_QUOTE_WORDS = 4
_TITLE = re.compile(
    r"(?=[A-Z])(?:(?:[A-Z0-9][\w'’-]*|of|the|and|a|an|in|on|to|for|with|at|by|from)[,:]?(?: |$))+"
)
"""What is written as a title is a name, however long: "The Name of the Wind"."""
_MORE_SENTENCES = re.compile(r"[.!。！\n]|[?？][\"'”’)]*\s*\w")
_CLAUSE_ENDS = re.compile(r"，|(?<=[\u3400-\u9fff]),")
_TOLD_CHARS_MIN = 4
_TAG = re.compile(
    r"(?:对|對|是|好|真的|可以|行|没错|沒錯|不是|对不对|對不對|是不是)(?:吗|嗎|吧|嘛|么|呢)?[？?!！~～]*"
    r"|\s*(?:you|y['’]) ?know\s*[?!]*",
    re.IGNORECASE,
)


def tells_nothing(message: str) -> bool:
    """True if a whole message is a text to work on, a game or an exercise."""
    return bool(_MESSAGE.search(message))


def is_question(sentence: str) -> bool:
    """True if a sentence is a question."""
    return bool(_QUESTION.search(sentence)) and not (
        _NOT_ASKED.match(sentence) and not sentence.rstrip().endswith(("?", "？"))
    )


def only_asks(message: str) -> bool:
    """True for one sentence that asks, and does not tell anything before or behind that.

    Both are told and asked in one sentence: 我很喜欢跑步，你有什么好的路线推荐吗？ "I drive an old
    Volvo, what may a clutch cost?"
    """
    parts = unspliced(message.strip())
    if len(parts) > 1 and not all(map(is_question, parts)):
        return False
    if not is_question(message) or is_tagged(message) or _MORE_SENTENCES.search(message):
        return False
    *before, last = _CLAUSE_ENDS.split(message.strip())
    told = [each for each in before if len(each) >= _TOLD_CHARS_MIN and not is_question(each)]
    return not told or is_tag(last)


def is_tag(clause: str) -> bool:
    """True for 对吧？ and the like: a question about what was just said."""
    return bool(_TAG.fullmatch(clause))


def is_unreal(clause: str) -> bool:
    """True if a clause says what may be, or would be if."""
    return bool(_UNREAL.search(clause)) and not _REAL_AFTER_ALL.search(clause)


def unquoted(text: str) -> str:
    """The text with long quotations blanked out; a quoted name or word stays."""
    return _QUOTED.sub(_blank_if_long, text)


def _blank_if_long(quote: re.Match[str]) -> str:
    said = quote.group()
    if _TITLE.fullmatch(said.strip("\"'“”‘’「」『』《》")):
        return said
    words = len(re.findall(r"[\u3400-\u9fff]|\w+", said))
    han = bool(re.search(r"[\u3400-\u9fff]", said))
    return (
        " " * len(said) if words >= (_LONG_QUOTE_WORDS + 2 if han else _LONG_QUOTE_WORDS) else said
    )
