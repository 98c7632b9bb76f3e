"""Detect the language of a dialogue by its letters and its small words: turns no model can read are left unchanged."""

import re
from collections import Counter
from functools import cache
from itertools import chain, repeat
from typing import Final

ENGLISH: Final = "en"
CHINESE: Final = "zh"
JAPANESE: Final = "ja"

# Scripts that tell the language, or rule ours out. In the first two, each character is a word.
_SCRIPTS: Final = {
    CHINESE: "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    JAPANESE: "\u3041-\u306d\u306f-\u3096\u30a1-\u30fa\uff66-\uff9d",  # without の, which is fashionable in Chinese
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "he": "\u0590-\u05ff",
    "th": "\u0e00-\u0e7f",
    "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f",
    "und-Cyrl": "\u0400-\u052f",
    "und-Arab": "\u0600-\u06ff\u0750-\u077f",
    "und-Deva": "\u0900-\u097f",
    "und-Beng": "\u0980-\u09ff",
    "und-Taml": "\u0b80-\u0bff",
}
# The most frequent words of languages in Latin letters, above all those of questions.
_SMALL_WORDS: Final = {
    ENGLISH: "the of and to in is was were are be been it he she they we you i this that these those what who when "
    "where why how which do does did has have had can could will would should may not for with on at by from "
    "as or if but so any other there their them his her its my your about more than into out over a an no "
    "yes please thanks tell give show me us much many long old far also else too very",
    "de": "in was so der das und ist nicht ein eine einen einem einer wie wo wann warum wer wem wen wird wurde werden "
    "ich du er sie wir ihr mit von für auf aus bei nach zum zur im dem den des sich auch noch sind hat haben "
    "habe kann kannst können mir mich dich es gibt oder aber über wenn dass mehr gerne bitte danke welche "
    "welcher viel ihn ihm davon",
    "fr": "a en on le la les un une des du de et est sont pas que qui quoi où quand comment pourquoi combien je tu il "
    "elle nous vous ils elles ce cette ces c'est dans sur avec pour par plus au aux son sa ses mon ma mes ça "
    "qu'il qu'elle quel quelle quels peux peut avez j'ai d'un d'une n'est l'on y lui leur merci était fait aussi "
    "ou encore",
    "es": "a el la los las un una unos y es son no que qué quién quien cuándo cuando cuanto cuánto dónde donde cómo "
    "como por para con del de al se lo su sus mi me te nos hay está están fue era más mas muy pero porque puede "
    "puedes tiene cuál cual esto eso este esta sobre también algo ¿ ¡ gracias él en otra otro",
    "it": "in il lo la gli le un una uno di che chi è sono non come dove quando perché quanto quanti quale e ed per "
    "con del della dei delle nel nella al alla si ci ha hanno mi ti suo sua questo questa puoi può più anche c'è "
    "cosa grazie dal su lui lei era stato ancora altro",
    "pt": "a o os as um uma uns de do da dos das e é são não que quem quando onde como quanto por porque quê para com "
    "em no na nos nas se ele ela eles você me meu sua seu isso este esta isto mais também muito foi tem há pode "
    "posso sobre ao à existe qual obrigado ainda outro",
    "nl": "in de het een en is niet wie wat waar wanneer waarom hoe hoeveel ik je jij hij zij wij van voor op met aan "
    "te er ook maar dat die deze dit zijn heeft hebben kan kun kunt naar bij uit meer over geen hem haar welke "
    "veel worden werd dan nog graag mij bedankt of",
    "sv": "i och är det den en ett inte vem vad var när varför hur mycket jag du han hon vi ni som på av för med till "
    "från har kan ska om men eller finns också mer denna detta dessa hans hennes henne honom mig dig sig blev "
    "många tack så att",
    "da": "i over og er det den en et ikke hvem hvad hvor hvornår hvorfor hvordan hvilken meget jeg du han hun vi som "
    "på af for med til fra har kan skal om men eller findes også mere denne dette disse hans hendes hende ham "
    "mig dig sig blev der mange tak så at",
    "no": "i over by og er det den en et ei ikke hvem hva hvor når hvorfor hvordan hvilken mye jeg du han hun vi som "
    "på av for med til fra har kan skal om men eller finnes også mer denne dette disse hans hennes henne ham meg "
    "deg seg ble der mange takk så å",
    "fi": "ja on ei se hän minä sinä me te he kuka mikä mitä missä milloin miksi miten kuinka paljonko mutta tai että "
    "joka jos niin myös ovat oli ole onko siitä sen sitä hänen hänestä minun sinun voiko voitko lisää kiitos "
    "mistä vielä",
    "pl": "i w z na do nie się jest są to co kto kiedy gdzie dlaczego jak ile czy o od za po dla ale lub że który "
    "która które jego jej ich on ona oni mi mnie ten ta te był była było może możesz więcej też nim niej tym "
    "dziękuję a jeszcze",
    "cs": "a v z na do ne se si je jsou to co kdo kdy kde proč jak kolik o od za po pro ale nebo že který která které "
    "jeho její jejich on ona oni mi mě ten ta tom byl byla bylo může můžeš více víc také nějaký děkuji ní něm ještě",
    "ro": "in și si în de la un o este sunt nu ce cine când unde cum cat cât costa pe cu din pentru care mai despre "
    "el ea ei lui îmi îți să-mi sa fi a l-a s-a fost poți poate există dar sau acest această multe mult asta "
    "mulțumesc altceva",
    "hu": "a az és nem egy ki mi mit mikor hol miért hogyan hogy mennyi mennyibe is van vannak volt ez én te ő de "
    "vagy még már csak meg róla belőle kell lehet tudsz köszönöm melyik hány ezt azt",
    "tr": "en ve bir bu şu ne nerede neden nasıl kim kaç mı mi mu mü için ile de da değil var yok daha çok ama ben "
    "sen o biz siz onlar onun bana olan olarak gibi kadar zaman hakkında peki hangi teşekkürler misin mısın başka",
    "id": "yang dan di ke dari ini itu apa siapa kapan mana kenapa mengapa bagaimana berapa tidak adalah ada dia saya "
    "kamu kami kita mereka untuk dengan pada juga lebih bisa apakah tentang banyak atau tapi sudah akan terima "
    "kasih lagi",
    "vi": "là và của có không được cho với ở này đó gì ai nào đâu sao tại khi bao nhiêu bạn tôi ông bà ấy anh chị em "
    "một những các cũng như thế về năm nó vì đã sẽ thêm cảm ơn khác nữa",
}
_ACCENTS: Final = {
    "de": "äöüß", "fr": "àâæçéèêëîïôœùûü", "es": "áéíñóúü", "it": "àèéìòù", "pt": "áâãàçéêíóôõú", "nl": "éëïö",
    "sv": "åäöé", "da": "æøåé", "no": "æøåé", "fi": "äö", "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "ro": "ăâîșțşţ",
    "hu": "áéíóöőúüű", "tr": "çğıöşüâ", "vi": "ăâđêôơưàảãáạéèẻẽẹíìỉĩịóòỏõọúùủũụýỳỷỹỵấầẩẫậắằẳẵặếềểễệốồổỗộớờởỡợứừửữự",
}  # fmt: skip
_OTHER_LETTERS: Final = "".join(_SCRIPTS.values())
_WORD: Final = re.compile(
    "|".join(f"([{letters}]{'+' * (language not in (CHINESE, JAPANESE))})" for language, letters in _SCRIPTS.items())
    + rf"|([¿¡]|(?:(?![{_OTHER_LETTERS}])[^\W\d_])+(?:['’-](?:(?![{_OTHER_LETTERS}])[^\W\d_])+)*)"
)
_LEAD: Final = 2  # once a language leads by this many words, no further text is read
_SAMPLE: Final = 400  # characters read of each text
_ENGLISH_WEIGHT: Final = 1.3  # an English text about Dvořák is still English


def guess_language(*texts: str) -> str:
    """The language of some texts, most telling first, as a BCP 47 tag; English unless another is clearly ahead.

    Texts are read until a language leads, so the turns before it decide about a short turn.

    >>> guess_language("iPhone 15 Pro Max好用吗"), guess_language("what does 好 mean"), guess_language("なぜ？")
    ('zh', 'en', 'ja')
    >>> guess_language("Warum?", "Wer hat das geschrieben?"), guess_language("Why?", "Who is Gödel?")
    ('de', 'en')
    """
    best, votes = ENGLISH, Counter[str]()
    for lead, text in zip(chain([_LEAD + 1], repeat(_LEAD)), texts, strict=False):  # "El Niño?" alone says little
        votes.update(_votes(text[:_SAMPLE].lower()))
        best = max(votes, key=lambda language: votes[language] * (language != ENGLISH), default=ENGLISH)
        ahead = votes[best] - votes[ENGLISH]
        if ahead >= lead or -ahead >= _LEAD:
            break
    return best if votes[best] > _ENGLISH_WEIGHT * votes[ENGLISH] else ENGLISH


def _votes(text: str) -> Counter[str]:
    """How many different words of a text point to each language."""
    scripts, votes = tuple(_SCRIPTS), Counter[str]()
    for word, group in {(match[0], match.lastindex or 0) for match in _WORD.finditer(text)}:
        if group <= len(scripts):
            votes[scripts[group - 1]] += 1
        else:
            votes.update(_latin_languages().get(word) or _languages_with_accents(word))
    if JAPANESE in votes and 8 * votes[JAPANESE] >= votes[CHINESE]:  # then the Han among the kana is Japanese too
        votes[JAPANESE] += votes.pop(CHINESE, 0)
    return votes


@cache
def _latin_languages() -> dict[str, list[str]]:
    """The languages that have each small word."""
    known: dict[str, list[str]] = {}
    for language, words in _SMALL_WORDS.items():
        for word in words.split():
            known.setdefault(word, []).append(language)
    return known


def _languages_with_accents(word: str) -> list[str]:
    """The languages that have all the accents of a word; none if it has no accents."""
    accents = {letter for letter in word if not letter.isascii() and letter.isalpha()}
    return [language for language, letters in _ACCENTS.items() if accents and accents.issubset(letters)]
