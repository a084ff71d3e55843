"""Cues in the words of a turn: it begins a task, continues one, or ends one.

Discourse cues in English and Chinese (simplified and traditional), read at the turn's beginning;
what a greeting, a thank-you or an "ok" leaves over is the request.
"""

import re
from dataclasses import dataclass

_OPENING_CHARS = 200

_CLOSING = re.compile(
    r"^(?:(?:ok(?:ay)?|great|cool|perfect|nice|awesome|excellent|good|lovely|super|brilliant|"
    r"thanks?(?: you)?(?: so much| a lot| very much)?|thx|cheers|got it|understood|makes sense|"
    r"(?:that['’]?s |it )?works?(?: now| great)?|all good|done|alright|all right|fine|sweet|"
    r"much appreciated|that (?:helps|did it)|wonderful|fantastic|noted)\b[\s,.!;:—-]*)+"
    r"|^(?:(?:好的?|好吧|行|可以了?|谢谢[你您了啦]*|謝謝[你您了啦]*|多谢|感谢|辛苦了?|了解了?|明白了?|"
    r"知道了|懂了|收到|嗯+|没问题|太好了|太棒了|完美|搞定了?|不错|很好|ok)[\s，,。.！!；;～~、]*)+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!。！;；～~\n—]\s*$")

_NEW_TASK = re.compile(
    r"^\W*(?:by the way|btw|another (?:thing|question|topic|task|one)|one (?:more|other"
    r"|last) (?:thing|"
    r"question)|(?:now )?(?:the )?next(?: (?:thing|task|question|topic|one|up|item"
    r"|step))?\s*[:,—-]|"
    r"next (?:thing|task|question|topic|up|item)\b|"
    r"(?:something|anything) (?:else|different)|(?:on|in) (?:another|a different|an unrelated"
    r"|a separate)"
    r" (?:note|topic|matter|subject|front)|unrelated(?:ly)?\b|(?:a |completely |totally )*"
    r"(?:different|new|separate|other|second|quick|unrelated|side) (?:question|topic|task|thing"
    r"|subject|"
    r"issue|request)|switching (?:gears|topics)|chang(?:e|ing) (?:of )?(?:the )?(?:topic|subject)|"
    r"separately\b|moving on|let['’]?s move on|also unrelated|while (?:you['’]re at it|i have you|"
    r"you['’]re here|i['’]m here|we['’]re at it)|before i forget|(?:ok |okay |and |now )*back to|"
    r"(?:now )?let['’]?s (?:turn|switch|get back|go back|talk about)|speaking of|incidentally|"
    r"oh[, ]+(?:and|also|one|by|another|i (?:almost|nearly) forgot)|for (?:tomorrow|later)\b|"
    r"(?:new|next|separate) (?:task|topic|one)\b|returning to|going back to|"
    r"(?:last|final) (?:thing|question|one)\b|now for|totally different|different (?:thing"
    r"|subject))"
    r"|^\W*(?:另外|对了|對了|换个话题|換個話題|换个问题|換個問題|顺便|順便|话说|話說|接下来|接下來|下一个|"
    r"下一個|下一件|下一项|下個|还有(?:一?件事|个事|一个问题|个问题|一事)|還有(?:一?件事|個問題|一個問題|個事)|"
    r"再(?:问|問)(?:个|個|一)|(?:问|問)(?:个|個)(?:别的|不相关|題外|题外|另外)|另一(?:个|個|件)|"
    r"另(?:问|問)|别的事|說(?:个|個)別的|说个别的|说点别的|聊点别的|题外话|題外話|回到|说回|說回|"
    r"再(?:来|來)(?:一?个|一?個|一?件)(?:别的|新)|新(?:的)?(?:问题|任务|話題|话题|任務|問題)|"
    r"突然想到|突然想起|忘了(?:说|问)|最后(?:一个|再|一件|问)|最後(?:一個|再|一件|問)|"
    r"先不(?:说|管)这个|先放一放|(?:今天|现在)还有|不相关|不相關|其他(?:事|问题)|哦?对了)",
    re.IGNORECASE,
)
_NEW_REQUEST = re.compile(
    r"^\W*(?:can|could|would|will) you (?:also|please also|now)\b|^\W*(?:also|now)[, ]"
    r"|^\W*please also\b"
    r"|^\W*(?:i (?:also|now) (?:need|want|have)|i have (?:a|another)|i['’]?d also)"
    r"|^\W*(?:再|也)(?:帮|幫|替|给|給)我|^\W*还(?:想|要|需要|得)|^\W*還(?:想|要|需要|得)|^\W*(?:帮|幫|替|给|給)我"
    r"|^\W*(?:请|請)(?:帮|幫|问|問|你)|^\W*我(?:想|要|需要|有个|打算|得)"
    r"|^\W*(?:please )?(?:write|set up|check|draft|translate|explain|compare|plan|create|design|"
    r"summari[sz]e|find|look up|help me|do you know|is there|please \w+|give me (?:a|an)"
    r"|tell me|recommend|how do (?:i|you)|"
    r"what(?:['’]?s| is| are|['’]?re)\b|who (?:is|was)|when (?:is|was|does)|where (?:is|can)"
    r"|i need|"
    r"i want|i['’]?m (?:trying|planning|looking|thinking)|(?:the|our|my) \w+)"
    r"|^\W*(?:写|寫|翻译|翻譯|解释|解釋|推荐|推薦|安排|对比|對比|比较|有没有|有沒有|查一?下|算一?下|做[个個一]|列[个個一]|画[个一]|介绍|比较一下)"
    r"|^\W*(?:给|給|把|为|為).{1,8}(?:写|寫|设置|設置|安排|做成|翻译|发)"
    r"|怎么(?:写|读|做|说|走|办理|安装|设置)|怎麼(?:寫|讀|做|說)|^\W*(?:有什么|有沒有|有没有)推荐",
    re.IGNORECASE,
)
_CONTINUING = re.compile(
    r"^\W*(?:and (?:if|the|a|what about|then|for)|but|so\b|then\b|or\b|why|which|what about|"
    r"how about|what if|also (?:add|make|change|put|use|include)|yes|yeah|yep|no\b|nope|sure|"
    r"go (?:ahead|on|for)|do (?:it|that|so)|please do|continue|make (?:it|them|that|this)|"
    r"(?:can|could) (?:you|we|it|i) (?:make|change|add|put|use|do|shorten|explain) (?:it|that"
    r"|this|them)|"
    r"add\b|remove\b|change\b|put\b|drop\b|rename\b|mention\b|include\b|shorter|longer|instead|"
    r"actually|wait|hmm|still|again|it\b|that\b|this\b|these\b|those\b|they\b|he\b|she\b|"
    r"the (?:first|second|last|other|same|former|latter)|is (?:it|that|this)|does (?:it|that|this)|"
    r"are (?:they|those|these)|not\b|merge\b|rerun\b|run it|try\b|use\b|show me)"
    r"|^\W*(?:那么?|那就|要不要?|要\W*$|不要|不是|不对|不用|可是|但是|但|而且|所以|然后|为什么|為什麼|为啥|"
    r"怎么(?:会|还|又)|它|这|這|他|她|哪|还是|還是|继续|繼續|加|改|换成|換成|去掉|删|刪|再(?:加|改|短|长|试|"
    r"详细|来)|如果|要是|能不能(?:再|更)|是不是|对[，,。！!]?$|嗯|是的|没有|沒有|多少|几|幾|谁|誰|每|用|把(?:它|这|那))",
    re.IGNORECASE,
)
_ANAPHORA = re.compile(
    r"\b(?:it|its|that|those|them|they|one|ones|there|he|she|him|her|same|instead|else)\b"
    r"|它|这个|那个|这样|那样|這個|那個|上面|刚才|剛才|前面|其中|他们|她|这里|那里|这些|那些",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cues:
    """Cues of a turn; `rest` is the text that follows its thanks and greetings."""

    rest: str
    closed: bool
    """The turn begins by accepting the result, and goes on in a sentence of its own."""
    only_closing: bool
    """The turn accepts the result, and says no more."""
    new_task: bool
    """The turn says that something else comes."""
    new_request: bool
    """The turn asks for something in the words of a fresh request."""
    continuing: bool
    """The turn begins as a continuation of the same task."""
    pointing: bool
    """The turn points back: "it", "that one"."""


def read_cues(text: str) -> Cues:
    """Return the cues in the beginning of a turn."""
    opening = text.strip()[:_OPENING_CHARS]
    closing = _CLOSING.match(opening)
    said = closing.group() if closing else ""
    rest = opening[len(said) :].strip()
    return Cues(
        rest=rest,
        closed=bool(rest) and _SENTENCE_END.search(said) is not None,
        only_closing=bool(said) and not rest,
        new_task=any(_NEW_TASK.match(part) for part in (opening, rest)),
        new_request=_NEW_REQUEST.match(rest) is not None,
        continuing=_CONTINUING.match(rest) is not None,
        pointing=_ANAPHORA.search(rest[:80]) is not None,
    )
