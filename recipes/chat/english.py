"""English: turns that stand on their own, small talk, and how people type."""

import random
import re
from dataclasses import replace
from typing import Final

from recipes.chat.compose import Draft, Material, Part
from recipes.chat.english_followups import COMPLETE, FOLLOWUPS
from recipes.chat.english_scenes import SCENES
from recipes.chat.english_tables import TABLES

STANDALONE: Final = {
    "new topic": (
        "who is {person}?",
        "what's the capital of {country}?",
        "how do I make {food}?",
        "play {song} by {song.singer}",
        "what is the weather like in {city}?",
        "how tall is the {landmark}?",
        "what does {company} do?",
        "recommend me a good book",
        "book {party} at {restaurant} for {day}",
        "set an alarm for {time}",
        "how do I reset my password?",
        "tell me a joke",
        "what does {error} mean?",
        "how do I install {library}?",
        "what is {finance}?",
        "is {medicine} addictive?",
        "how many seasons does {series} have?",
        "find me a hotel in {city}",
        "when was {event}?",
        "translate {word} into {tongue}",
        "new question: how far is the moon?",
        "ok different topic, who directed {film}?",
        "anyway, what are the symptoms of {illness}?",
        "by the way, is {restaurant} open on {day}?",
        "can you recommend a good movie for tonight?",
        "where can I buy {item.a}?",
        "do you sell {plural}?",
        "what's 12 times 17?",
        "show me the news",
        "how do I cancel the {plan}?",
        "let's talk about {city}",
        "what's the best way to learn {tongue}?",
        "turn on the {device}",
        "who won the {team.sport} world cup in {year}?",
        "i want to order a large pizza with mushrooms",
        "how do you spell Mississippi?",
        "one more question, can I change my delivery address?",
        "please connect me with an agent",
        "what are the opening hours of the store in {city}?",
        "remind me to buy milk at {time}",
        "which is better, {library} or {library.rival}?",
        "what is the population of {country}?",
        "how long does {animal.a} live?",
    ),
    "it without antecedent": (
        "is it raining in {city}?",
        "what time is it in {city}?",
        "what time is it?",
        "is it cold outside?",
        "is it true that {company} is hiring?",
        "is it ok to feed bread to ducks?",
        "how long does it take to fly to {city}?",
        "is it possible to get a refund for {item.a}?",
        "will it snow in {city} {when}?",
        "it's my birthday today!",
        "is it safe to take {medicine} with coffee?",
        "it's raining cats and dogs here",
        "what day is it?",
        "is it Friday yet?",
        "it seems that {person} is everywhere these days",
        "is there anything good on TV tonight?",
        "is there a pharmacy near me?",
        "how's it going?",
        "it was nice talking to you",
        "it's getting late, good night",
        "does it cost anything to open an account?",
        "how hot will it get in {city} {when}?",
        "is it bad to skip breakfast?",
        "it is {degree} degrees in {city}",
    ),
    "resolved inside": (
        "when did {person} say {person.he} would retire?",
        "did {company} say why it closed its office in {city}?",
        "if my {item} breaks, can I return it?",
        "take the {file} and send it to {contact}",
        "did {person} write {person.his} own autobiography?",
        "ask {contact} if {contact.he} is free on {day}",
        "call {contact} and tell {contact.him} I'm late",
        "why did {band} change their name?",
        "what does {person} do when {person.he} isn't working?",
        "turn on the {device} and turn it off at {time}",
        "how do I cook {food} so that it tastes good?",
        "does {city} light up its bridges at night?",
        "I bought {plural} but they are broken",
        "I lost my keys, where could they be?",
        "my neighbour says he saw a fox",
        "my mum thinks she left her phone in the taxi",
        "play {song} and then play it again",
        "I like {film} because it makes me cry",
        "the {gadget} I ordered has a crack in its screen",
        "can {animal.a} recognise its owner?",
        "who taught {person} when {person.he} was young?",
        "when {person} was a child, where did {person.he} go to school?",
        "if {person} had not become {person.trade}, what would {person.he} have done?",
        "after {person} became famous, did {person.he} move away from {person.place}?",
        "who is {person} and how did {person.he} become {person.trade}?",
        "where did {person} grow up and who were {person.his} friends?",
        "what did {person}'s parents think when {person.he} became {person.trade}?",
        "how old was {person} when {person.he} won {person.his} first prize?",
        "why did {person} leave {person.place} and did {person.he} ever go back?",
        "has {person} ever said what {person.he} thinks of {person2}?",
        "did anyone help {person} when {person.he} was starting out?",
        "what did {person} do in {year}, and was {person.he} already famous?",
        "before {person.he} was famous, what did {person} do for a living?",
        "in {person.his} last interview, did {person} mention {person.place}?",
        "tell me about {person} and {person.his} family",
        "why does {person} never talk about {person.himself}?",
        "since {person} is so well known, can {person.he} still walk down the street?",
        "who was the first woman to walk in space and what did she do afterwards?",
        "what did the first man on the moon say when he stepped out?",
        "who was the first person to reach the South Pole and how did he get there?",
        "who was the first woman to win a Nobel Prize, and what did she win it for?",
        "when did the inventor of the telephone make his first call?",
        "did the woman who discovered radium ever get rich from her work?",
        "what did the captain of the Titanic do when he saw the iceberg?",
        "why did the painter of the Mona Lisa keep it until his death?",
        "was the man who designed the {landmark} proud of his work?",
        "did the author of {book} need long to write it?",
        "how did the director of {film} get the money to make it?",
        "has the boss of {company} said how long he wants to stay?",
        "what did the founders of {company} do before they started it?",
        "who was the youngest president of the United States and how old was he?",
        "what was the first dog in space called, and did it survive?",
        "where did the tallest man in the world live and how did he die?",
        "how did the first woman to fly across the Atlantic alone learn to fly her plane?",
        "what did the last queen of France say before she died?",
        "when the first settlers came to {country}, how did they live?",
        "the man who sold me my {item} promised he would call, should I wait?",
        "if a customer loses her receipt, can she still get a refund?",
        "can a tourist who loses his passport in {city} still fly home?",
        "a friend of mine left her bag in {city}, who can help her?",
        "my sister is allergic to nuts, can she eat {food}?",
        "my grandparents are visiting {city}, how can they get around?",
        "my boss wants me to ring him at {time}, please remind me",
        "why was the {landmark} built and who paid for it?",
        "if I buy the {gadget} today, when will it arrive?",
        "does the {gadget} warn you when its battery is low?",
        "before I order the {gadget}, can I try it in a store?",
        "will the {car} lose range as its battery gets older?",
        "can I freeze {food} once it has cooled down?",
        "how did {film} do when it came out in cinemas?",
        "is {film} any good and where can I stream it?",
        "what is {book} about and how long is it?",
        "why was {series} such a hit when it first aired?",
        "has {game} improved since it came out?",
        "who founded {company} and how did it get so big?",
        "when {company} started, how many people worked for it?",
        "did {company} apologise after it raised its prices?",
        "if {company} is doing so well, why is it laying people off?",
        "how did {band} meet and when did they form?",
        "after {band} released {band.album}, did they go on tour?",
        "where do {band} come from and what are their biggest hits?",
        "do {band} still play {band.song} when they are on stage?",
        "if {team} win tonight, will they be top of the table?",
        "how do {team} celebrate when they beat {team.rival}?",
        "what is {city} famous for and how did it get its name?",
        "has {country} ever changed its flag?",
        "what does {animal.a} do when it is scared?",
        "if {animal.a} loses its mother, can it survive?",
        "why do cats purr when you stroke them?",
        "do bees die after they sting someone?",
        "open the {file} and print it twice",
        "find the {file}, then rename it to final",
        "if the {device} is still on, switch it off",
        "check the {device} and tell me if it is working",
        "text {contact} that I have {contact.his} keys",
        "if {contact} calls, tell {contact.him} I'm asleep",
        "send {contact} the {file} and ask {contact.him} to read it",
        "if I forget to take {medicine}, can I take it later?",
        "what is {illness} and how do you treat it?",
        "does {app} collect data when it is closed?",
        "how did {event} start and why did it end?",
        "is {restaurant} any good and is it open on {day}?",
        "what is {library} and who maintains it?",
        "the {plural} I bought are too small, can I return them?",
    ),
    "you and I": (
        "can you help me?",
        "what do you think?",
        "I need some help with my account",
        "can you hear me?",
        "what can you do?",
        "I'm bored",
        "do you speak {tongue}?",
        "can I ask you something?",
        "I want to talk to a real person",
        "where am I?",
        "I have a question about my bill",
        "can you speak more slowly please?",
        "tell me something about yourself",
        "I can't sleep",
        "I'm on holiday in {city}",
        "my name is {first}",
        "I live in {city}",
        "I just moved from {city} to {city2}",
        "what should I cook tonight?",
        "could you repeat the question?",
        "I was born in {year}",
        "can I call you {first}?",
        "we are four people, two of us vegetarian",
        "my phone number ends in {number}",
    ),
    "about the bot": (
        "are you a robot?",
        "are you human?",
        "what's your name?",
        "who made you?",
        "how old are you?",
        "are you ChatGPT?",
        "where do you live?",
        "do you have feelings?",
        "do you ever sleep?",
        "what's your favourite colour?",
        "are you listening to me?",
        "do you remember me?",
        "can you sing?",
        "are you single?",
        "you are so smart",
        "you're not very helpful",
        "how do you know all of this stuff?",
        "do you store my data?",
        "what languages do you speak?",
        "are you better than Siri?",
        "do you like {band}?",
        "have you read {book}?",
        "am I talking to a real person?",
        "will you take over the world?",
    ),
}

SMALL_TALK: Final = tuple(
    phrase.strip()
    for phrase in """
    hi; hello; hey; hey there; good morning; good evening; good afternoon; hi there; yo; hello again; morning; howdy;
    greetings; hiya; what's up; sup; how are you; how are you doing; how's your day; how do you do; nice to meet you;
    long time no see; I'm back; anyone there; hello, anybody home;
    thanks; thank you; thank you so much; thanks a lot; many thanks; thx; ty; thanks a million; much appreciated;
    thank you very much; thanks for your help; thanks for the info; cheers; cheers mate; thanks, that helps;
    thanks, that's all; that's all, thank you; perfect, thanks; great, thank you; awesome, thanks; ok thanks;
    thank you, have a nice day; no thanks; no, thank you; thanks but no thanks; thanks again; thank you, you too;
    ok; okay; ok cool; k; kk; alright; all right; sure; sure thing; of course; fine; fine by me; got it; I see;
    I understand; understood; makes sense; that makes sense; right; fair enough; noted; good to know; will do;
    sounds good; sounds great; works for me; that works; deal; agreed; exactly; absolutely; definitely; for sure;
    yes; yes please; yep; yeah; yup; yes, I did; yes, that's right; yes, of course; yes, go ahead; go ahead; please do;
    no; nope; nah; not really; no, I don't; not yet; no, never; not at all; I don't think so; I guess so; I think so;
    maybe; perhaps; probably; I'm not sure; not sure; I don't know; no idea; dunno; who knows; it depends; whatever;
    wow; oh wow; cool; so cool; nice; very nice; great; awesome; amazing; fantastic; wonderful; brilliant; lovely;
    interesting; how interesting; really; oh really; seriously; no way; you're kidding; are you serious; oh; oh no; ah;
    aha; hmm; hm; uh; oops; whoa; omg; lol; haha; hahaha; lmao; rofl; that's funny; that's great; that's awesome;
    that's too bad; that's sad; that's crazy; that's good news; that sucks; what a pity; what a shame; bummer; ugh;
    damn; good; good one; good idea; great idea; not bad; well done; nice one; nice try; congrats; congratulations;
    sorry; I'm sorry; my bad; sorry about that; sorry, my mistake; oops, wrong chat; excuse me; pardon; pardon me;
    no problem; no worries; never mind; nevermind; forget it; don't worry; don't worry about it; it's ok; it's fine;
    that's ok; that's fine; it doesn't matter; all good; you're welcome; my pleasure; anytime;
    bye; goodbye; bye bye; see you; see you later; see ya; cya; talk to you later; ttyl; take care; have a good one;
    good night; have a nice weekend; have a great day; until next time; gotta go; I have to go; brb; one moment please;
    wait; wait a second; hold on; hang on; one sec; let me think; let me check; stop; cancel; please continue; go on;
    I love it; I hate mondays; I'm tired; I'm happy to hear that; glad to hear it; good luck; fingers crossed;
    happy new year; merry christmas; happy birthday; bless you; get well soon; welcome back; I agree; I disagree;
    you're right; you are right about that; you're the best; I appreciate it; I like that; that was quick;
    this is great; this is so frustrating; what; huh; come again; say that again; I don't get it; I'm confused;
    say again please; enough for today; that will be all; nothing else; I'm good, thanks; test; testing 1 2 3; ?
    """.replace("\n", " ").split(";")
)

GREETINGS: Final = (
    ("Hi", "Hello! How can I help you today?"),
    ("hey", "Hey there! What can I do for you?"),
    ("Good morning!", "Good morning! What would you like to know?"),
    ("Hello, are you there?", "Yes, I'm here. Go ahead!"),
    ("tell me a joke", "Why did the scarecrow win a prize? Because he was outstanding in his field."),
    ("Thanks for your help yesterday.", "You're welcome! What's on your mind today?"),
    ("What can you do?", "I can answer questions, play music, make bookings and more."),
)

_QUESTIONS: Final = frozenset("what how who where are do does have really seriously sup pardon anyone huh come".split())
_EMOJI: Final = ("👍", "😊", "😂", "🙏", "❤️", "🎉", "😅", "🤔", "🙂", "😭", ":)", ":D", ";-)", "xD")
_CODE: Final = re.compile(r"[a-z][A-Z]|[_()\\]|::|\w\.\w|\d")
_LIBRARIES: Final = frozenset(row["name"] for row in TABLES["library"])
_NAMES: Final = frozenset(
    " ".join(value for rows in TABLES.values() for row in rows for value in row.values()).lower().split()
)
_NEARBY: Final = dict(zip("abcdefghiklmnoprstuvwy", "snvsrdgjokkmnbpteaybqt", strict=True))


def vary_small_talk(rng: random.Random, phrase: str) -> str:
    """A phrase in one of the ways people type it."""
    asks = phrase.split()[0].strip(",") in _QUESTIONS
    phrase = rng.choice(
        (phrase, phrase, opened(phrase), opened(phrase), phrase.upper() if len(phrase) < 12 else phrase)
    )
    phrase += rng.choice(("", "", "?", "??") if asks else ("", "", ".", "!", "!!", "..."))
    return f"{phrase} {rng.choice(_EMOJI)}" if rng.random() < 0.15 else phrase


def vary(rng: random.Random, draft: Draft) -> Draft:
    """The dialogue as it might have been typed: cased or not, with or without marks, with slips."""
    chance = rng.random()
    careless = chance < 0.35  # the user writes small letters and drops marks
    quiet = chance < 0.12  # and so does the assistant
    plain = draft.phenomenon != "small talk"  # small talk comes in its own surface
    history, last = tuple(map(opened, draft.history)), draft.last
    if careless:
        history = tuple(lowered(turn).rstrip(".?!") if quiet or i % 2 == 0 else turn for i, turn in enumerate(history))
    if careless and plain:
        last = tuple(_lowered(part, quiet) for part in last)
    if plain and (careless or rng.random() < 0.15):
        last = _without_mark(last)
    last = tuple(part if part.kept else Part(part.said, _as_cased_in(part.rewritten, history)) for part in last)
    if plain and not careless:
        last = _with_capital(last)
    if rng.random() < 0.1:
        last = _with_slip(rng, last)
    if rng.random() < 0.04:
        last = _with_blank(rng, last)
    return Draft(history, last, draft.phenomenon)


def opened(text: str) -> str:
    """With a capital at the start, unless the first word has its own spelling."""
    word = text.split(maxsplit=1)[0] if text.split() else ""
    return (
        text
        if word in _LIBRARIES or not word.replace("'", "").rstrip(",?!").isalpha() or _CODE.search(word)
        else text[0].upper() + text[1:]
    )


def lowered(text: str) -> str:
    """In small letters, except for code."""
    return " ".join(word if _CODE.search(word) else word.lower() for word in text.split(" "))


def _lowered(part: Part, inserted_too: bool) -> Part:
    if part.kept or inserted_too:
        return Part(lowered(part.said), lowered(part.rewritten))
    return Part(lowered(part.said), part.rewritten)


def _with_capital(last: tuple[Part, ...]) -> tuple[Part, ...]:
    """Both the turn and its rewrite start with a capital: where the rewrite starts anew, the turn's start is small."""
    parts, said, rewritten = [], False, False
    for part in last:
        parts.append(
            Part(
                part.said if said else opened(part.said),
                part.rewritten if rewritten else opened(part.rewritten),
            )
        )
        said, rewritten = said or bool(part.said), rewritten or bool(part.rewritten)
    return tuple(parts)


def _as_cased_in(text: str, history: tuple[str, ...]) -> str:
    """An inserted text in small letters where the history has some word of it only so."""
    words = set(re.findall(r"\w+", " ".join(history)))
    small = any(word not in words and word.lower() in words for word in re.findall(r"\w+", text))
    return lowered(text) if small else text


def _without_mark(last: tuple[Part, ...]) -> tuple[Part, ...]:
    *parts, end = last
    if not end.kept:
        return last
    kept = end.said.rstrip(".?!")
    return (*parts, Part(kept, kept)) if kept or parts else last


def _on_a_kept_part(last: tuple[Part, ...], spots: list[tuple[int, str]]) -> tuple[Part, ...]:
    return tuple(Part(dict(spots).get(i, part.said), dict(spots).get(i, part.rewritten)) for i, part in enumerate(last))


def _with_slip(rng: random.Random, last: tuple[Part, ...]) -> tuple[Part, ...]:
    """A slip of the finger in a longer word that is kept and names nothing."""
    spots = [
        (i, word)
        for i, part in enumerate(last)
        if part.kept
        for word in re.finditer(r"(?<![\w'.])[a-z]{5,}(?![\w'.(:])", part.said)
        if word[0] not in _NAMES
    ]
    if not spots:
        return last
    i, word = rng.choice(spots)
    at = rng.randrange(1, len(word[0]) - 1)
    letters = word[0]
    slipped = rng.choice(
        (
            letters[:at] + letters[at + 1 :],
            letters[:at] + letters[at] + letters[at:],
            letters[:at] + letters[at + 1] + letters[at] + letters[at + 2 :],
            letters[:at] + _NEARBY.get(letters[at], letters[at]) + letters[at + 1 :],
        )
    )
    text = last[i].said
    return _on_a_kept_part(last, [(i, text[: word.start()] + slipped + text[word.end() :])])


def _with_blank(rng: random.Random, last: tuple[Part, ...]) -> tuple[Part, ...]:
    spots = [
        (i, m.start()) for i, part in enumerate(last) if part.kept for m in re.finditer(r"(?<=\w) (?=\w)", part.said)
    ]
    if not spots:
        return last
    i, at = rng.choice(spots)
    text = last[i].said
    return _on_a_kept_part(last, [(i, text[:at] + " " + text[at:])])


ENGLISH: Final = Material(
    "en", TABLES, SCENES + FOLLOWUPS, STANDALONE | COMPLETE, SMALL_TALK, GREETINGS, vary, vary_small_talk
)
FOLLOWUPS_ONLY: Final = replace(ENGLISH, scenes=FOLLOWUPS, standalone=COMPLETE)
