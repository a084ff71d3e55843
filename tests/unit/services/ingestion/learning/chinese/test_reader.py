"""What is said in Chinese becomes facts; what does not assert becomes none."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.chinese.found import FoundFact
from anamnesis_ingestion.learning.chinese.reader import read
from anamnesis_ingestion.learning.chinese.subjects import Subjects, speaker

SAID_AT = datetime(2025, 6, 18, 9, tzinfo=UTC)

SILENT = [
    # denied
    "我没住在宁波。",
    "我没养猫。",
    "我从来没去过大连。",
    "我对虾不过敏。",
    "我并不是不喜欢狗。",
    "小赵没有离职。",
    "我们公司不在苏州。",
    # asked
    "你住在宁波吗？",
    "我该不该跳槽到京东？",
    "他是不是辞职了",
    "我是住城东好还是住城西好呢？",
    "我住在宁波，对吧？",
    "谁说我在华为工作？",
    # supposed
    "如果我搬到厦门，我就养一条狗。",
    "要是当年去了百度上班，我早就结婚了。",
    "生了孩子的话，我就不在外企上班了。",
    "只要我住在昆明，我就喜欢爬山。",
    # told by others
    "听说老周辞职了。",
    "据说我搬到了成都。",
    "同事说，我在华为工作。",
    "我姐总觉得，我喜欢吃辣。",
    "老板告诉我，她搬到广州了。",
    "“我住在南京，在腾讯工作。”这是他写的。",
    # meant, guessed, nearly
    "我想养一只猫。",
    "他准备去网易上班。",
    "我可能跳槽到美团了。",
    "我明年住在杭州。",
    "我从明年起在网易上班。",
    "我本来要搬到西安，后来在那里工作。",
    "我差点跟阿强结婚了。",
    "我希望考上复旦大学。",
    # of the moment, or of nobody who is known
    "我去年在上海见了老同学。",
    "这部电影很好看，喜欢安静的人会看。",
    "她在杭州工作。",
    "大家都喜欢喝茶。",
    "菜叫做回锅肉。",
    "我在找东西。",
    "我看看啊。",
    "我有个问题想请教。",
    "帮我订一张票。",
    "用Python写一个脚本。",
    "我有点累，喜欢不起来。",
    "把函数名改成小写。",
    # words of every day behind a relative are no name
    "我室友特别好。",
    "我妹妹天天哭。",
    "我同学西安人。",
    # a noun that has an owner is not the owner
    "我们公司的产品，被下架了。",
    "我们组的林悦，离职了。",
    # nothing was done, or it was nothing that lasts
    "我没去过大理。",
    "我还没看《三体》。",
    "我考了很多次驾照都没过。",
    "我做了一个手术的梦。",
    "昨天公司把办公楼卖了。",
    "我教他数学。",
    "我去了趟厕所。",
    "我把文件从桌面移到了D盘。",
    "我的课从周一上到周五。",
    # a name beside the name
    "林悦又叫小悦。",
    # what is asked of the moment, and what befalls somebody is no name
    "别再说了。",
    "我老板换人了，现在很忙。",
    "我毕业以后想去深圳。",
    # a line of somebody else's, another's day, an order, what is so today
    "张三：我住在天津。我养了一只猫。",
    "我弟面试定在周五。",
    "我同事对芒果过敏。",
    "准备一份报告。",
    "前端用React写一个页面。",
    "今天不吃辣。",
    "我准备睡觉了。",
    "我本来打算买车的，后来算了。",
    "明天下雨。",
    # of a name that no dictionary knows, and what somebody is called
    "辰辰会爬了，体重9公斤2。",
    "我原来是林医生。",
    "我们周五下午不发版。",
    "周三考试过了。",
    "决定权在老板。",
    # an illness is no name
    "我爸脑梗住过院，现在左手不太灵活。",
    # slices, cards and pictures are no medicines
    "我吃了薯片。",
    "我换了照片。",
    "今天只喝了绿茶。",
    "医生说他有高血压。",
    "我开了名片。",
    "我停了唱片。",
    # sorts of people
    "我是熊猫。",
]
STATED = [
    # towns that look like names, and characters of either script
    ("我从台北搬到高雄了。", ["|lives_in|台北|end", "|lives_in|高雄"]),
    ("我住在大连。", ["|lives_in|大连"]),
    # both parents are nobody's name; what a body is like; a car that takes another's place
    ("我爸妈住在老家绍兴。", ["的爸妈|lives_in|绍兴"]),
    ("我对乳糖不耐受。", ["|is_allergic_to|乳糖"]),
    ("我是O型血。", ["|blood_type|O型"]),
    ("我身高一米八。", ["|height|一米八"]),
    ("我和爸妈一起住。", ["|lives_with|爸妈"]),
    ("我换了辆比亚迪。", ["|drives|比亚迪", "|owns|比亚迪"]),
    ("我女朋友陳曉喜歡爬山。", ["|has_partner|陳曉", "陳曉|likes|爬山"]),
    ("我弟弟叫張偉。", ["|has_relative|張偉"]),
    # a speaker who is left out, a doctor who acts for them, somebody else instead
    ("昨天二胡又拉起来了。", ["|plays|二胡"]),
    ("辛伐他汀停了，医生给我换成依折麦布片。", ["|uses|辛伐他汀|end", "|uses|依折麦布片"]),
    ("手下带着小杨和阿欣两个人。", ["|manages|小杨", "|manages|阿欣"]),
    ("小杨和阿欣不归我管了。", ["|manages|小杨|end", "|manages|阿欣|end"]),
    (
        "我对花生不过敏，过敏的是我弟弟小杰。",
        ["小杰|is_allergic_to|花生", "|has_relative|小杰"],
    ),
    # who is whose
    ("小雅来了，她是我妹妹。", ["|has_relative|小雅"]),
    ("我以前和小雅是同事。", ["|knows|小雅|end"]),
    ("我的老板换成了陈总。", ["|reports_to|陈总"]),
    ("我以前的老板是李总。", ["|reports_to|李总|end"]),
    ("我前任的女友叫提莉。", ["|has_partner|提莉|end"]),
    # what somebody only drinks, earns, is called now; what a doctor says of the speaker
    ("我不喝咖啡，只喝绿茶。", ["|does_not_drink|咖啡", "|drinks|绿茶"]),
    ("工资涨到了一万五。", ["|income|一万五"]),
    ("我改名叫林一诺了。", ["|is_named|林一诺"]),
    ("医生说我有高血压。", ["|has_condition|高血压"]),
    ("我不再吃素了。", ["|follows_diet|吃素|end"]),
    ("小陈的女朋友叫思思。", ["小陈|has_partner|思思"]),
    ("罗斯的妹妹莫妮卡昨天来了。", ["罗斯|has_relative|莫妮卡"]),
    ("我是小明的妈妈。", ["|has_relative|小明"]),
    ("我是莫妮卡和钱德勒的朋友！", ["|knows|莫妮卡", "|knows|钱德勒"]),
    ("你知道我的朋友道格，很会钓鱼的那个？", ["|knows|道格"]),
    ("莫妮卡和我订婚了。", ["|has_partner|莫妮卡"]),
    ("蒙娜刚刚把我甩了。", ["|has_partner|蒙娜|end"]),
    ("我和小雅在一起了。", ["|has_partner|小雅"]),
    ("我和王敏合租。", ["|lives_with|王敏"]),
    ("我有两个孩子。", ["|has_relative|两个孩子"]),
    # what was done
    ("我上周去了趟西安。", ["|visited|西安"]),
    ("昨天我看了《流浪地球2》。", ["|has_seen|《流浪地球2》"]),
    ("我们看了一部文艺片，叫做《出租车司机》。", ["|has_seen|《出租车司机》"]),
    ("我读完了《三体》。", ["|has_read|《三体》"]),
    ("去年我考了驾照。", ["|achieved|驾照"]),
    ("我上个月做了阑尾炎手术。", ["|underwent|阑尾炎手术"]),
    # what goes from one value to another
    ("我们家的车从大众换成了特斯拉。", ["|车|大众|end", "|车|特斯拉"]),
    ("我们站会从九点改成十点了。", ["站会|is|九点|end", "站会|is|十点"]),
    # other states
    ("你好，我是姚国栋。", ["|is_named|姚国栋"]),
    ("我在医院工作。", ["|works_in|医院"]),
    ("我从不熬夜。", ["|avoids|熬夜"]),
    ("我不太能吃辣。", ["|does_not_eat|辣"]),
    # states
    ("我住在宁波。", ["|lives_in|宁波"]),
    ("我家在鼓楼区，离学校很近。", ["|lives_in|鼓楼区"]),
    ("我在百度作为算法工程师工作。", ["|works_at|百度", "|works_as|算法工程师"]),
    ("我是一名高中物理老师。", ["|works_as|高中物理老师"]),
    ("我妈妈在协和医院当护士。", ["的妈妈|works_at|协和医院", "的妈妈|works_as|护士"]),
    ("我对芒果过敏。", ["|is_allergic_to|芒果"]),
    ("我也来。我对虾过敏，别的都可以", ["|is_allergic_to|虾"]),
    ("我讨厌榴莲。", ["|dislikes|榴莲"]),
    ("我不吃羊肉。", ["|does_not_eat|羊肉"]),
    ("我最喜欢的水果是荔枝。", ["|likes|荔枝"]),
    ("我特别喜欢周末去钓鱼。", ["|likes|钓鱼"]),
    ("我喜欢书法、围棋和登山。", ["|likes|书法", "|likes|围棋", "|likes|登山"]),
    ("我对足球没什么兴趣。", ["|dislikes|足球"]),
    ("我会弹古筝。", ["|can|弹古筝"]),
    ("我叫周敏，今年三十一岁。", ["|is_named|周敏", "|is_aged|三十一岁"]),
    ("我的生日是8月3日。", ["|born_on|8月3日"]),
    ("我出生于1988年4月。", ["|born_on|1988年4月"]),
    ("我在浙江大学读硕士。", ["|studies_at|浙江大学", "|studies|硕士"]),
    ("我男朋友是山东人。", ["的男朋友|is_from|山东"]),
    ("我有一辆白色的宝马。", ["|owns|宝马"]),
    ("我每天早上用Obsidian写日记。", ["|uses|Obsidian"]),
    ("我们团队用的是Rust语言。", ["的团队|uses|Rust语言"]),
    ("我和妹妹一起住在武汉。", ["|lives_in|武汉"]),
    ("我还喜欢摄影，有没有好书推荐？", ["|likes|摄影"]),
    ("以后都用表格回答。", ["|prefers|都用表格回答"]),
    ("不要在脚本里写死路径。", ["|prefers|不要在脚本里写死路径"]),
    # who is what to whom
    ("我儿子叫豆豆。", ["|has_relative|豆豆"]),
    ("我有一个弟弟叫小杰。", ["|has_relative|小杰"]),
    ("我老婆叫王敏，是律师。", ["|married_to|王敏", "王敏|works_as|律师"]),
    (
        "我女朋友小雅在武汉大学学法律。",
        ["|has_partner|小雅", "小雅|studies_at|武汉大学", "小雅|studies|法律"],
    ),
    ("李娜目前在华为担任架构师。", ["李娜|works_at|华为", "李娜|works_as|架构师"]),
    ("我养了一只叫团子的橘猫。", ["|has_pet|团子"]),
    # changes and ends
    ("我从北京搬到了成都。", ["|lives_in|北京|end", "|lives_in|成都"]),
    ("两年前我搬到成都，主要是因为工作。", ["|lives_in|成都"]),
    ("我辞职了，又回锦川设计院上班了。", ["|employment_status|辞职", "|works_at|锦川设计院"]),
    ("思雨住在重庆。", ["思雨|lives_in|重庆"]),
    ("后来才转行做会计的。", ["|works_as|会计"]),
    ("我又搬回上海了。", ["|lives_in|上海"]),
    ("我回到老家长沙了。", ["|lives_in|长沙"]),
    ("我搬家了，新家在海淀区。", ["|lives_in|海淀区"]),
    ("我已经从网易离职了。", ["|works_at|网易|end"]),
    ("我已经不在百度了。", ["|works_at|百度|end"]),
    ("小赵跳槽到京东了。", ["小赵|works_at|京东"]),
    ("我从小米跳槽到了腾讯。", ["|works_at|小米|end", "|works_at|腾讯"]),
    ("我离开了待了三年的美团。", ["|works_at|美团|end"]),
    ("我升职当上总监了。", ["|works_as|总监"]),
    ("我不再吃牛肉了。", ["|does_not_eat|牛肉", "|eats|牛肉|end"]),
    ("我不再负责测试了。", ["|works_on|测试|end"]),
    ("我把手机从苹果换成了华为。", ["|uses|苹果|end", "|uses|华为"]),
    ("我后来改用飞书了，不用钉钉了。", ["|uses|飞书", "|uses|钉钉|end"]),
    ("我把车卖了。", ["|owns|车|end"]),
    ("我以前是律师，现在做导游。", ["|works_as|律师|end", "|works_as|导游"]),
    ("我不喜欢喝咖啡了。", ["|dislikes|喝咖啡", "|likes|喝咖啡|end"]),
    ("我跟阿强离婚了。", ["|married_to|阿强|end", "|marital_status|离婚"]),
    ("我们分手了。", ["|marital_status|分手"]),
    ("我结婚了，老公叫陈浩。", ["|marital_status|已婚", "|married_to|陈浩"]),
    ("我戒烟三年了。", ["|avoids|烟"]),
    ("我把周会时间改成了周五下午。", ["周会时间|is|周五下午"]),
    ("项目代号从海豚改成了白鲸。", ["项目代号|is|海豚|end", "项目代号|is|白鲸"]),
    # times, habits, topics and companions beside the verb
    ("我作图一直用 Photoshop。", ["|uses|Photoshop"]),
    ("Affinity 我不用了，现在作图全用 Blender。", ["|uses|Affinity|end", "|uses|Blender"]),
    ("我每个星期都要吃火锅。", ["|eats|火锅"]),
    ("羽毛球我不打了。", ["|plays|羽毛球|end"]),
    ("我是合唱团的成员。", ["|member_of|合唱团"]),
    ("我退出了读书会。", ["|member_of|读书会|end"]),
    ("我养了一只猫，七岁了。", ["|has_pet|猫", "的猫|is_aged|七岁"]),
    ("我喜欢户外活动，像滑板、攀岩等等。", ["|likes|户外活动", "|likes|滑板", "|likes|攀岩"]),
    ("文艺片我也非常喜欢。", ["|likes|文艺片"]),
    ("我现在没有猫了。", ["|has_pet|猫|end"]),
    ("我上大学的时候，住在北京。", []),
    ("我妹妹思雨来了。思雨住在重庆。", ["|has_relative|思雨", "思雨|lives_in|重庆"]),
    ("我给我的朋友玛丽打电话。", ["|knows|玛丽"]),
    ("作为四川人，我很能吃辣。", ["|is_from|四川", "|eats|辣"]),
    # traditional characters stay as they were written
    ("我後來搬到臺北了。", ["|lives_in|臺北"]),
    ("我不喝咖啡，也喜歡爬山。", ["|does_not_drink|咖啡", "|likes|爬山"]),
    ("我原本的練習地點想先定在活動中心。", ["|練習地點|活動中心"]),
    ("我後來把練習地點改成體育館。", ["|練習地點|體育館"]),
    # verbs parted from their nouns, and who is stressed
    ("我前年跟前夫离的婚。", ["|marital_status|离婚"]),
    ("是我提的分手。", ["|marital_status|分手"]),
    ("毕业以后我就辞职备考了。", ["|employment_status|辞职"]),
    # changes and ends in everyday words
    ("那辆单车我上个月就卖了。", ["|owns|单车|end"]),
    ("二胡我已经不拉了，现在学书法。", ["|plays|二胡|end", "|studies|书法"]),
    ("我养了八年的猫年糕前天没了。", ["|has_pet|猫|end"]),
    ("我家去年养了两只猫。", ["|has_pet|猫"]),
    ("我不在广州了。", ["|lives_in|广州|end"]),
    ("我把Slack退了。", ["|uses|Slack|end"]),
    ("我从销售转到了产品岗。", ["|works_as|销售|end", "|works_as|产品"]),
    ("这个月我搬进了静安的公寓。", ["|lives_in|静安"]),
    ("我转学到了二中。", ["|studies_at|二中"]),
    ("我从大二开始用Emacs。", ["|uses|Emacs"]),
    ("我在一家做地图的公司，叫高图，当测试工程师。", ["|works_at|高图", "|works_as|测试工程师"]),
    ("我养的那只鹦鹉飞走了。", ["|has_pet|鹦鹉|end"]),
    ("家里的猫叫年糕，今年三岁。", ["|has_pet|年糕", "年糕|is_aged|三岁"]),
    ("我从去年九月开始学法语。", ["|studies|法语"]),
    ("我现在改用飞书写文档了。", ["|uses|飞书"]),
    # how one says it in passing
    ("我在成都教初中物理。", ["|works_in|成都", "|teaches|初中物理"]),
    ("我老公在上海跑网约车。", ["的老公|works_as|网约车司机"]),
    ("我们在杭州租的房。", ["|lives_in|杭州"]),
    ("家里养的那只乌龟叫铁蛋。", ["|has_pet|铁蛋"]),
    ("我嗓子不好，有慢性咽炎。", ["|has_condition|嗓子不好", "|has_condition|慢性咽炎"]),
    ("我近视600度。", ["|has_condition|近视"]),
    ("最近在学西班牙语。", ["|studies|西班牙语"]),
    ("上周把特斯拉卖了。", ["|owns|特斯拉|end"]),
    ("我换到飞书了。", ["|uses|飞书"]),
    # what is meant is told as a plan, and off
    ("我打算明年搬到青岛。", ["|plans|搬到青岛"]),
    ("我们打算在杭州租房子。", ["|plans|在杭州租房子"]),
    ("下个月去日本出差。", ["|plans|去日本出差"]),
    ("我决定辞职了。", ["|plans|辞职"]),
    ("不打算买房了。", ["|plans|买房|end"]),
    # work, pay, shops and ties told by the way, and a topic before its verb
    ("老公在油田上班。", ["的老公|works_in|油田"]),
    ("我是做外贸的。", ["|works_as|做外贸"]),
    ("我表哥是做消防员的。", ["的表哥|works_as|消防员"]),
    ("我在无锡开了家面馆。", ["|owns|面馆"]),
    ("刚把工作辞了。", ["|employment_status|辞职"]),
    ("现在到手一万八。", ["|income|一万八"]),
    ("我人在北京七年了。", ["|lives_in|北京"]),
    ("我住回龙观。", ["|lives_in|回龙观"]),
    ("手下七个人。", ["|manages|七个人"]),
    ("我们家两个娃。", ["|has_relative|两个娃"]),
    ("我还没结婚。", ["|marital_status|未婚"]),
    ("退休前是语文老师。", ["|works_as|语文老师|end"]),
    ("酒戒了，车卖了。", ["|avoids|酒", "|owns|车|end"]),
    ("我弟弟毕业了，驾照拿到了。", ["的弟弟|education_status|毕业", "的弟弟|achieved|驾照"]),
    ("家里养了两条狗，一条柯基叫短短。", ["|has_pet|狗", "|has_pet|短短"]),
    ("我有点恐高，医生不让吃糖。", ["|has_condition|恐高", "|does_not_eat|糖"]),
    ("我德语B2。", ["|speaks|德语B2"]),
    # what the work is made with, and the day that is set for something
    ("我们后端是Spring Boot，缓存Redis。", ["后端|is|Spring Boot", "缓存|is|Redis"]),
    ("牙医约在下周四下午四点。", ["|牙医|下周四下午四点"]),
    ("代码缩进用两个空格。", ["|prefers|代码缩进用两个空格"]),
    ("不要动config目录下面的文件。", ["|prefers|不要动config目录下面的文件"]),
    (
        "每晚睡前看半小时书，最近在看《置身事内》。",
        ["|does|每晚睡前看半小时书", "|reads|《置身事内》"],
    ),
    # pets and babies by their names, trades, shops and versions
    ("我养了条边牧，叫闪电。", ["|has_pet|边牧", "|has_pet|闪电"]),
    ("宝宝叫辰辰，辰辰对鸡蛋过敏。", ["|has_relative|辰辰", "辰辰|is_allergic_to|鸡蛋"]),
    ("我女儿小满会剪视频，她在读高二。", ["|has_relative|小满", "小满|studies|高二"]),
    (
        "我搬到深圳了，跳槽到大疆做算法工程师。",
        ["|lives_in|深圳", "|works_at|大疆", "|works_as|算法工程师"],
    ),
    (
        "我七十二了，儿子在加拿大。",
        ["|is_aged|七十二", "的儿子|lives_in|加拿大"],
    ),
    ("我在福州开茶叶店的，店名叫半山。", ["|owns|茶叶店", "|店名|半山"]),
    ("媳妇辞了。", ["的媳妇|employment_status|辞职"]),
    ("MySQL升到8.0了，测试用 pytest -x。", ["MySQL|is|8.0", "测试|is|pytest -x"]),
    ("每天六点起床。", ["|does|每天六点起床"]),
    ("测试环境在10.0.3.12。", ["测试环境|is|10.0.3.12"]),
    ("会议纪要以后都发英文版。", ["|prefers|会议纪要以后都发英文版"]),
    ("我从通州搬到亦庄了。", ["|lives_in|通州|end", "|lives_in|亦庄"]),
    ("房贷每个月还7800。", ["|房贷|7800"]),
    ("回答简短一点。", ["|prefers|回答简短一点"]),
    (
        "公司叫云杉科技，做农业无人机的。",
        ["|公司|云杉科技", "的公司|works_as|做农业无人机"],
    ),
    ("我玩吉他十来年了。", ["|plays|吉他"]),
    ("代码评审现在在Gerrit上，不用GitLab了。", ["代码评审|is|Gerrit", "|uses|GitLab|end"]),
    ("下周三上线2.0。", ["|plans|上线2.0"]),
    ("我英文名叫Zoe。", ["|英文名|Zoe"]),
    # rules
    ("别再给我发语音了。", ["|prefers|别再给我发语音了"]),
    ("所有接口都必须写文档。", ["|prefers|所有接口都必须写文档"]),
    ("标题一律用黑体。", ["|prefers|标题一律用黑体"]),
]


def facts(text: str, name: str = "", said_at: datetime | None = SAID_AT) -> list[FoundFact]:
    return list(read(text, Subjects(speaker(name or "user")), said_at, to_agent=not name))


REFUTED = frozenset({"is_allergic_to", "lives_in", "works_at"})


@pytest.mark.parametrize(
    ("text", "predicate", "held"),
    [
        ("原来我对青霉素不过敏。", "is_allergic_to", "青霉素"),
        ("我对花生不过敏，过敏的是我弟弟小杰。", "is_allergic_to", "花生"),
        ("我没住在宁波。", "lives_in", "宁波"),
        ("我不在腾讯上班。", "works_at", "腾讯"),
    ],
)
def test_a_denial_ends_what_may_be_held_and_is_no_fact(
    text: str, predicate: str, held: str
) -> None:
    ends = [each for each in facts(text) if each.ends_only]
    assert [(each.predicate, each.object, each.ended) for each in ends] == [(predicate, held, True)]


def claims(text: str) -> list[str]:
    return [
        f"{each.subject.removeprefix('user')}|{each.predicate}|{each.object}"
        + ("|end" if each.ended else "")
        for each in facts(text)
        if not (each.ends_only and each.predicate in REFUTED)
    ]


@pytest.mark.parametrize("text", SILENT)
def test_what_does_not_assert_is_not_learned(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_a_statement_becomes_its_facts(text: str, expected: list[str]) -> None:
    assert sorted(claims(text)) == sorted(expected)


def test_what_is_said_of_a_filler_subject_is_nobodys() -> None:
    assert claims("我妹妹搬走了，这个城市很好，住在苏州。") == []


def test_who_she_is_was_said_before() -> None:
    subjects = Subjects(speaker("user"))
    list(read("我妹妹小雨来了。", subjects, SAID_AT, to_agent=True))
    found = list(read("她在苏州大学读书。", subjects, SAID_AT, to_agent=True))
    assert [(each.subject, each.object) for each in found] == [("小雨", "苏州大学")]


def told(text: str, listener: str) -> list[tuple[str, str, str]]:
    subjects = Subjects(speaker("李雷"))
    found = read(text, subjects, SAID_AT, to_agent=False, listener=listener)
    return [(each.predicate, each.object, each.statement) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("爸，你怎么来了？", ("has_relative", "韩梅", "李雷的爸是韩梅")),
        ("你是我最好的朋友。", ("knows", "韩梅", "李雷的朋友是韩梅")),
        ("我是你的室友。", ("knows", "韩梅", "李雷是韩梅的室友")),
        ("我们是同事。", ("knows", "韩梅", "李雷和韩梅是同事")),
        ("我们在同一家公司。", ("knows", "韩梅", "李雷和韩梅是同事")),
        ("我们住在一起。", ("lives_with", "韩梅", "李雷和韩梅住在一起")),
        ("我和你分手了。", ("has_partner", "韩梅", "李雷和韩梅分手了")),
    ],
)
def test_of_a_listener_who_is_known_it_is_told(text: str, expected: tuple[str, str, str]) -> None:
    assert told(text, "韩梅") == [expected]
    assert told(text, "") == []


@pytest.mark.parametrize(
    "text",
    [
        "妈妈，她是我的英雄。",
        "爸爸，妈妈，你们好。",
        "爸，你睡我房间，罗妮，你睡他的。",
        "我和王强是大学认识的，我们是室友。",
        "咱俩不在同一所高中。",
        "你住在北京。",
    ],
)
def test_of_a_listener_nothing_is_guessed(text: str) -> None:
    assert told(text, "韩梅") == []


def test_what_somebody_says_of_themselves_is_theirs() -> None:
    found = facts("林悦说她对花生过敏，晚饭不要放花生酱。", name="Mara")
    assert [(each.subject, each.object) for each in found] == [("林悦", "花生")]
    assert facts("林悦说她们对花生过敏。", name="Mara") == []


def test_nobody_knows_which_of_two_she_is() -> None:
    subjects = Subjects(speaker("user"))
    list(read("我妹妹小雨和我同学小雪来了。小雪很高。", subjects, SAID_AT, to_agent=True))
    assert list(read("她在苏州大学读书。", subjects, SAID_AT, to_agent=True)) == []


def test_a_file_has_no_speaker() -> None:
    found = read("我住在宁波。李娜在华为担任架构师。", Subjects(speaker("")), None, to_agent=False)
    assert {each.subject for each in found} == {"李娜"}


def test_orders_are_for_agents_alone() -> None:
    assert facts("以后都用表格回答。", name="Mara") == []


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("我不吃羊肉。", "Mara不吃羊肉"),
        ("现在在美团当经理。", "Mara在美团工作"),
        ("我妹妹搬去苏州了。", "Mara的妹妹搬去苏州了"),
        ("我喜欢书法和登山。", "Mara喜欢书法"),
        ("我在用 Google Docs。", "Mara在用 Google Docs"),
        ("我是小明的妈妈。", "Mara是小明的妈妈"),
        ("我们看了《三体》。", "Mara看过《三体》"),
    ],
)
def test_a_statement_reads_by_itself(text: str, statement: str) -> None:
    assert facts(text, name="Mara")[0].statement == statement


@pytest.mark.parametrize(
    ("text", "since", "until", "ended"),
    [
        ("我从2024年8月起住在杭州。", "2024-08-01", "", False),
        ("我上个月搬到了成都。", "2025-05-01", "", False),
        ("我从2020年到2023年在腾讯工作。", "2020-01-01", "2024-01-01", True),
        ("小林2019年毕业于复旦大学。", "", "2020-01-01", True),
        ("我住在杭州。", "", "", False),
        ("我离开华为半年了。", "", "2025-01-01", True),
        ("我在杭州住了三年了。", "2022-06-01", "", False),
        ("我们九月份领的证。", "2024-09-01", "", False),
        ("上个学期我转学到了二中。", "", "", False),
        ("下个月去日本出差。", "", "2025-08-01", False),
        ("我打算明年搬去大理。", "", "", False),
    ],
)
def test_words_of_time_bound_a_fact(text: str, since: str, until: str, ended: bool) -> None:
    (found,) = facts(text)
    told = [
        each.date().isoformat() if each else "" for each in (found.time.since, found.time.until)
    ]
    assert (*told, found.ended) == (since, until, ended)


def test_without_a_time_of_telling_there_is_no_date() -> None:
    (found,) = facts("我上个月搬到了成都。", said_at=None)
    assert (found.object, found.time.since) == ("成都", None)
