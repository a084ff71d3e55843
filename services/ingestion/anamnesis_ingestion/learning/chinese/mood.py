"""The mood of a sentence: which clauses assert something, before any frame is tried.

Conditions and hearsay refuse a sentence, or the rest of it; a question refuses its clause, or all
where it has no words of asking of its own; plans, guesses and quoted speech refuse what goes on
from them. What cannot be decided is refused.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from anamnesis_ingestion.learning.chinese.sentences import Sentence
from anamnesis_ingestion.learning.local.guards import is_tag

_CONDITION = re.compile(
    r"如果|(?<![主需重])要是|假如|假使|假若|假设|倘若|若是|若(?=[我你他她])|万一|的话(?![题剧费语]|[，,]?(?:别|不要|请用|只用))|除非|即使|哪怕|就算(?!了)"
    r"|一旦|无论|不管|只要|只有.*才|恨不得|但愿|多希望|要不是|再.{1,6}就"
)
_OFFER = re.compile(r"(?:所以|那|那么)?(?:如果|要是)(?:你|您|有(?:空|机会|时间|兴趣))")
"""A condition about the listener says nothing of what came before it."""
_JOKE = re.compile(
    r"开玩笑|骗你的|逗你|反话|呵呵|俗话|常言|古人云|谚语|有句话|众所周知|都说|难道|才怪"
)
_HEARSAY = re.compile(
    r"听(?:[^，]{0,6}?)说|据说|据.{1,6}(?:报道|透露)|传说|传闻|谣言|谣传|传言|好像说|有人说|人家说|别人说"
    r"|网上说|新闻说|小道消息|八卦|听闻|听到.{0,6}说"
)
_SAID = re.compile(
    r"(?:(?<![小听虽传据话实比如])说(?!错|实话|不定|明|话|法|服|起来|到底|白了|真的|走就走|一口|中文|英语|得|[\u4e00-\u9fff]?语)"
    r"|告诉|表示|提到|声称|认为|以为|宣布|透露|觉得|问(?:我|道|起)|回答(?:道|说)|承认|答应|知道)"
)
_FRANK = re.compile(
    r"(?:顺便|多)(?:说|提)(?:一句|一下|下)|(?:已经|都|刚|也)*(?:跟|和|同)[^，我]{1,6}(?:说|讲|提)(?:过|好|定)?了$|(?:医生|大夫|教练)(?:说|告诉我)(?=我|是|别|不|要|得|必须|最好|以后|少|多|每)|老实说|坦白说|坦率地说|不瞒你说|跟你说|和你说|告诉你|对我来说|一般来说|严格来说|总的来说|具体来说|应该说|换句话说"
    r"|这么说|可以说|说实话|说来|不用说|怎么说|我想说|不得不说|我(?:也|就|才|很|真的|都|一直|还|最近|后来|之前|刚才|上次|刚刚)*(?:觉得|发现|说|知道)"
    r"|(?:会|能|能够|先|只|别|不要|请|直接)说|让我(?:觉得|知道)|想(?:要)?问|我想(?:请教|咨询)"
)
_ASKS = re.compile(
    r"吗|[么嘛]$|^.{1,4}呢$|(?<!没)(?<!没有)(?<!不)什么(?!都|的$)|怎么(?!都)|怎样|如何|谁|哪(?!怕)|多少|为何|是不是|有没有|能不能|可不可以|会不会|要不要|好不好|对不对"
    r"|行不行|该不该|是否|能否|可否|(?P<v>[\u4e00-\u9fff])不(?P=v)|几(?=个|点|岁|号|月|本|部)(?!个月)|是.+还是|(?<!叫我.)(?<!叫我..)(?<!叫我...)吧$|多大|多久|多远|多长"
    r"|应不应该|还是.+好|(?<!别给我)(?<!要给我)(?<!再给我)(?<!别再)(?<!不要再)(?<!别)(?<!不要)推荐(?![^，]{1,8}(?:的时候|时))"
)
_UNSURE = re.compile(
    r"并不是不|不是不|没有不|不得不|不无|不是说|谈不上|不一定|未必|不知道|不确定|可能|也许|或许|大概会|说不定|没准|似乎|好像|仿佛"
    r"|假装|装作|梦见|梦到|幻想|想象|差点|差一点|险些|本来要|本来想|本想|哪里|应该(?!是[^，]{1,8}(?:[，,]?(?:而)?不是|才对))"
)
_ASKED_OF_YOU = re.compile(r"[你您](?:们)?(?:还|也|都)?(?:知道|记得|觉得|认为|说|认识)")
_WHOLE, _REST, _CLAUSE = "whole", "rest", "clause"


def asserting(sentence: Sentence) -> list[bool]:
    """True for each clause that may state a fact."""
    texts = [clause.text for clause in sentence.clauses]
    offered = next((at for at, text in enumerate(texts) if _OFFER.match(text)), len(texts))
    if offered < len(texts):
        kept = asserting(replace(sentence, clauses=sentence.clauses[:offered], asks=False))
        return kept + [False] * (len(texts) - offered)
    if any(_CONDITION.search(text) or _JOKE.search(text) for text in texts):
        return [False] * len(texts)
    allowed = _outside_questions(texts, asks=sentence.asks)
    for place, text in enumerate(texts):
        if _HEARSAY.search(text) or _is_retold(text):
            return [each and at < place for at, each in enumerate(allowed)]
        if _UNSURE.search(text):
            allowed[place] = False
    return allowed


def takes_for_granted(sentence: Sentence) -> bool:
    """True if nothing in a sentence is supposed or told by others: names in it stand for people."""
    texts = [_ASKED_OF_YOU.sub("", clause.text) for clause in sentence.clauses]
    doubtful = (_CONDITION, _JOKE, _HEARSAY)
    return not any(each.search(text) or _is_retold(text) for text in texts for each in doubtful)


def _outside_questions(texts: Sequence[str], *, asks: bool) -> list[bool]:
    if not texts:
        return []
    asking = [bool(_ASKS.search(text)) for text in texts]
    if is_tag(texts[-1]) and (asks or asking[-1]):
        return [False] * len(texts)
    if asks and not asking[-1]:
        return [False] * len(texts)
    return [not each for each in asking]


def _is_retold(text: str) -> bool:
    """True for what somebody else is said to say, think or know."""
    return bool(_SAID.search(_FRANK.sub("", text)))
