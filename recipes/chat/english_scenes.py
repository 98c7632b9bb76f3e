"""What the English dialogues are about, and the last turns that hang on what was said before."""

from typing import Final

from recipes.chat.compose import Scene, leading_to


def contrast(
    before: str, asked: str, other: str, after: str, answers: tuple[str, ...], lead: str = "", mark: str = "?"
) -> Scene:
    """A question or command that comes back with another filler: "and Y?" after "Is X open today?".

    `lead` is the preposition before the filler, which the follow-up may repeat; a command has no `mark`.
    """
    start = f"{before} {lead}".strip()
    frames = [
        f"and [|{start} ]{other}[|{after}]{mark}",
        f"[what about|{start}] {other}[|{after}]{mark}",
        f"[how about|{start}] {other}[|{after}]{mark}",
        f"[|{start} ]{other}[|{after}]{mark}",
        f"ok and [|{start} ]{other}[|{after}]{mark}",
    ]
    if lead:
        frames += [f"and [|{before} ]{lead} {other}[|{after}]{mark}"]
    if lead not in ("", "of"):
        frames += [
            f"[what about|{before}] {lead} {other}[|{after}]{mark}",
            f"[|{before} ]{lead} {other}[|{after}]{mark}",
        ]
    question = start[0].upper() + start[1:] + f" {asked}{after}{mark or '.'}"
    return Scene(
        openings=tuple((question, answer) for answer in answers),
        frames={"contrast": tuple(frames)},
        whole=(f"{start} {other}{after}{mark}", f"and {start} {other}{after}{mark}"),
    )


def asked_back(question: str, answers: tuple[str, ...], *followups: str) -> Scene:
    """A question of yes or no, and "why?" or "since when?" after it: the words of the question complete it."""
    opened = question[0].upper() + question[1:]
    return Scene(
        openings=tuple((f"{opened}?", answer) for answer in answers),
        frames={"bare question": tuple(f"{followup}[| {question}]?" for followup in followups)},
        whole=tuple(f"{followup} {question}?" for followup in followups),
    )


PEOPLE: Final = (
    Scene(
        openings=(
            ("Who is {person}?", "{person} is {person.trade} born in {person.place} in {person.year}."),
            (
                "Tell me about {person}.",
                "{person}, born in {person.place}, is {person.trade} best known for {person.work}.",
            ),
            (
                "Which {person.role} was born in {person.place}?",
                "You may be thinking of {person}, who is famous for {person.work}.",
            ),
            ("I just read an article about {person}.", "Nice! {person.short} is a fascinating {person.role}."),
            ("do you know {person}", "Yes, {person} is {person.trade} from {person.place}."),
        ),
        more=(
            ("What is {person.he} famous for?", "Most people know {person.work}."),
            ("Any friends in the business?", "{person.short} has often been seen with {person2}."),
            ("Interesting.", "Is there anything in particular you would like to know?"),
            ("Who was an influence?", "{person2}, {person2.trade} from {person2.place}, is often named as one."),
        ),
        frames={
            "two clauses": (
                "where did [{person.he}|{person}] grow up and who were {person.his} friends?",
                "when [{person.he}|{person}] was a child, where did {person.he} go to school?",
                "how old was [{person.he}|{person}] when {person.he} won {person.his} first prize?",
                "when did [{person.he}|{person}] retire and why did {person.he} stop?",
                "if [{person.he}|{person}] is so famous, can {person.he} still walk down the street?",
                "did [{person.he}|{person}] say what {person.he} would do next?",
                "after [{person.he}|{person}] left {person.place}, did {person.he} ever go back?",
                "does [{person.he}|{person}] have time for {person.his} family?",
                "what did [{person.his}|{person}'s] parents say when {person.he} left home?",
                "who taught [{person.him}|{person}] when {person.he} was young?",
                "what was the name of the man who taught [{person.him}|{person}]?",
                "who was the first person to interview [{person.him}|{person}]?",
                "is the woman who wrote about [{person.him}|{person}] a journalist?",
            ),
            "subject pronoun": (
                "how old is [{person.he}|{person}]?",
                "where does [{person.he}|{person}] live?",
                "is [{person.he}|{person}] married?",
                "when did [{person.he}|{person}] start out?",
                "what did [{person.he}|{person}] study?",
                "has [{person.he}|{person}] won any awards?",
                "did [{person.he}|{person}] go to university?",
                "does [{person.he}|{person}] have kids?",
                "what languages does [{person.he}|{person}] speak?",
                "why is [{person.he}|{person}] so famous?",
                "ok but how did [{person.he}|{person}] become {person.trade}?",
                "how tall was [{person.he}|{person}]?",
                "was [{person.he}|{person}] rich?",
            ),
            "object pronoun": (
                "show me some pictures of [{person.him}|{person}]",
                "what do critics say about [{person.him}|{person}]?",
                "who inspired [{person.him}|{person}]?",
                "is there a documentary about [{person.him}|{person}]?",
                "find me an interview with [{person.him}|{person}] please",
                "can you recommend a biography of [{person.him}|{person}]?",
                "did anyone ever sue [{person.him}|{person}]?",
            ),
            "possessive": (
                "what is [{person.his}|{person}'s] net worth?",
                "who were [{person.his}|{person}'s] parents?",
                "what was [{person.his}|{person}'s] first big success?",
                "tell me more about [{person.his}|{person}'s] childhood",
                "where can I read about [{person.his}|{person}'s] early work?",
                "[{person.his}|{person}'s] birthday?",
                "when is [{person.his}|{person}'s] birthday again?",
                "what's [{person.his}|{person}'s] real name",
            ),
            "demonstrative": (
                "where does [this guy|{person}] come from anyway?",
                "and what is [this person|{person}] doing these days?",
            ),
        },
        whole=(
            "when was {person} born?",
            "how old is {person}?",
            "what is {person}'s biggest achievement?",
            "is {person} a better {person.role} than {person2}?",
            "did {person} ever say why {person.he} became {person.trade}?",
            "what did {person} do before {person.he} became famous?",
            "has {person} ever met {person2}?",
            "is {person.work} really by {person}?",
            "did {person} teach {person.himself}?",
            "who are the most famous people from {person.place}?",
            "what makes a good {person.role}?",
        ),
    ),
    Scene(
        openings=(
            ("What is {person} known for?", "{person} is best known for {person.work}."),
            ("Is {person.work} the most famous thing by {person}?", "Yes, {person.work} made the name of {person}."),
        ),
        frames={
            "besides": (
                "what else is [{person.he}|{person}] known for[| besides {person.work}]?",
                "anything else by [{person.him}|{person}][| besides {person.work}]?",
                "did [{person.he}|{person}] do anything else[| besides {person.work}]?",
                "what are [{person.his}|{person}'s] other achievements[| besides {person.work}]?",
                "is [{person.he}|{person}] famous for anything other than [that|{person.work}]?",
            ),
            "subject pronoun": ("is [that|{person.work}] the thing [{person.he}|{person}] is proudest of?",),
        },
        whole=(
            "what is {person} known for besides {person.work}?",
            "why do people love {person.work} so much?",
            "is {person.work} worth my time?",
        ),
    ),
    Scene(
        openings=(
            (
                "Did {person} ever meet {person2}?",
                "Yes, {person}, the {person.role}, met {person2}, the {person2.role}, in {city}.",
            ),
            ("Compare {person} and {person2}.", "{person} is {person.trade}, while {person2} is {person2.trade}."),
            (
                "Who came to the gala?",
                "Among others {person} came, together with {person2}, who had just flown in from {city}.",
            ),
        ),
        more=(("Are they friends?", "They are said to get along well."),),
        frames={
            "two clauses": (
                "where did [{person2.he}|{person2}] grow up and when did {person2.he} leave?",
                "when did [{person.he}|{person}] become {person.trade} and who helped {person.him}?",
            ),
            "several antecedents": (
                "how old is [{person.he}|{person}]?",
                "how old is [{person2.he}|{person2}]?",
                "where was [{person2.he}|{person2}] born?",
                "where was [{person.he}|{person}] born?",
                "what did people say about [{person.him}|{person}]?",
                "what is [{person2.his}|{person2}'s] most famous work?",
                "what is [{person.his}|{person}'s] most famous work?",
                "does [{person2.he}|{person2}] still work as {person2.trade}?",
                "and [{person2.his}|{person2}'s] parents?",
                "is [the former|{person}] still alive?",
                "what about [the {person2.role}|{person2}], any children?",
                "which of [them|{person} and {person2}] is older?",
                "do [they|{person} and {person2}] have anything in common?",
            ),
        },
        whole=(
            "is {person} older than {person2}?",
            "where did {person2} grow up?",
            "did {person} like {person2}, or did {person.he} just pretend?",
            "do {person} and {person2} know each other well?",
        ),
    ),
    Scene(
        openings=(
            ("Who founded {company}?", "{company} was founded in {company.place}, and {person} was an early investor."),
            ("Does {person} own shares of {company}?", "Yes, {person} bought shares of {company} in {year}."),
        ),
        frames={
            "two clauses": (
                "why did [{person.he}|{person}] buy shares of [it|{company}] before {person.he} was famous?",
                "who runs [it|{company}] and is it still growing?",
            ),
            "several antecedents": (
                "when was [it|{company}] founded?",
                "what does [it|{company}] make?",
                "how did [{person.he}|{person}] get rich?",
                "who runs [it|{company}] now?",
                "is [{person.he}|{person}] on [its|{company}'s] board?",
                "why did [{person.he}|{person}] invest in [it|{company}]?",
            ),
        },
        whole=("what does {company} make?", "is {person} still involved with {company}?"),
    ),
    Scene(
        openings=(
            ("Who are {band}?", "{band} are a band formed in {band.place} in {band.year}."),
            ("Play something by {band}.", "Playing {band.song} by {band}."),
            ("What's the best album of {band}?", "Many fans of {band} would say {band.album}."),
        ),
        more=(
            ("Nice.", "{band} also play well live, a bit like {band2}."),
            ("Good song?", "{band.song} is a favourite."),
        ),
        frames={
            "two clauses": (
                "when did [they|{band}] form and how did they meet?",
                "did [they|{band}] play {band.song} when they were on tour?",
                "why did [they|{band}] change their name?",
                "if [they|{band}] come to {city}, where will they play?",
            ),
            "plural pronoun": (
                "when did [they|{band}] form?",
                "did [they|{band}] ever play in {city}?",
                "what was [their|{band.own}] first single?",
                "will [they|{band}] go on tour this year?",
                "where can I see [them|{band}] live?",
                "how much are tickets for [their|{band.own}] next show?",
                "who writes [their|{band.own}] songs?",
                "why did [they|{band}] split up?",
                "how many records have [they|{band}] sold?",
                "play another song by [them|{band}]",
                "play more of [them|{band}]",
            ),
        },
        whole=(
            "when did {band} release {band.album}?",
            "are {band} better than {band2}?",
            "do {band} write their own songs?",
            "play {band.song} by {band}",
        ),
    ),
)

MEDIA: Final = (
    Scene(
        openings=(
            ("Have you seen {film}?", "{film} is a film from {film.year}, directed by {film.maker}."),
            ("What should I watch tonight?", "How about {film}? It came out in {film.year} and stars {film.lead}."),
            ("Who directed {film}?", "{film.maker} directed {film}, with {film.lead} in the lead."),
        ),
        more=(
            ("Is the cast good?", "{film.lead} got rave reviews."),
            ("Hm, maybe.", "Critics also liked {film2}, but it is much longer."),
        )[:1],
        frames={
            "two clauses": (
                "is [it|{film}] any good and where can I stream it?",
                "how did [it|{film}] do when it came out in cinemas?",
                "did the director of [it|{film}] say how long it took to shoot it?",
            ),
            "it": (
                "what is [it|{film}] about?",
                "how long is [it|{film}]?",
                "where can I stream [it|{film}]?",
                "did [it|{film}] win any oscars?",
                "is [it|{film}] suitable for kids?",
                "where was [it|{film}] filmed?",
                "rent [it|{film}] for me",
                "is there a sequel to [it|{film}]?",
                "add [it|{film}] to my watchlist",
                "who wrote the music for [it|{film}]?",
            ),
            "possessive": ("what's [its|{film}'s] rating?", "what was [its|{film}'s] budget?"),
            "demonstrative": (
                "is [that movie|{film}] based on a true story?",
                "how does [that film|{film}] end?",
            ),
        },
        whole=(
            "how long is {film}?",
            "is {film} on Netflix?",
            "what other films did {film.maker} make besides {film}?",
            "is {film} better than {film2}?",
            "did {film.lead} win an Oscar for {film}?",
        ),
    ),
    Scene(
        openings=(
            ("Play {song}.", "Now playing {song} by {song.singer}."),
            ("What song is this?", "This is {song} by {song.singer}."),
            ("Who sings {song}?", "{song} is by {song.singer}."),
        ),
        frames={
            "command": (
                "play [it|{song}] again",
                "add [it|{song}] to my playlist",
                "turn [it|{song}] up a bit",
                "skip [it|{song}]",
                "put [it|{song}] on repeat",
                "play [this|{song}] in {room}",
                "send [it|{song}] to {contact}",
                "don't play [this song|{song}] ever again",
                "like [this one|{song}]",
            ),
            "it": (
                "when did [it|{song}] come out?",
                "what are the lyrics of [it|{song}]?",
                "which album is [it|{song}] on?",
                "who wrote [that|{song}]?",
                "what is [it|{song}] about?",
            ),
            "besides": (
                "what else is by {song.singer}[| besides {song}]?",
                "any other songs by {song.singer}[| besides {song}]?",
            ),
        },
        whole=(
            "play {song2} by {song2.singer}",
            "pause the music",
            "turn the volume up",
            "next song please",
            "shuffle my playlist",
            "who wrote {song}?",
            "play {song} in {room}",
        ),
    ),
    Scene(
        openings=(
            ("Can you recommend a book?", "I'd suggest {book} by {book.writer}."),
            ("I'm reading {book}.", "Good choice! {book} by {book.writer} was published in {book.year}."),
            ("Who wrote {book}?", "{book} was written by {book.writer} in {book.year}."),
        ),
        more=(("Is the style easy?", "Some readers find the first chapters slow."),),
        frames={
            "two clauses": (
                "what is [it|{book}] about and how long is it?",
                "did {book.writer} need long to write [it|{book}] or was it easy?",
            ),
            "it": (
                "how many pages does [it|{book}] have?",
                "is [it|{book}] available as an audiobook?",
                "has [it|{book}] been made into a film?",
                "what's [it|{book}] about",
                "order [it|{book}] for me",
                "would you say [it|{book}] is hard to read?",
                "give me a summary of [it|{book}]",
            ),
            "besides": (
                "what else did {book.writer} write[| besides {book}]?",
                "anything else like [it|{book}]?",
                "any other books by {book.writer}[| besides {book}]?",
            ),
            "demonstrative": ("how much is [that book|{book}]?", "why is [this novel|{book}] so popular?"),
        },
        whole=(
            "how many pages does {book} have?",
            "is {book} worth reading even though it's long?",
            "what did {book.writer} write before {book}?",
        ),
    ),
    Scene(
        openings=(
            ("Is {game} any good?", "{game} by {game.maker} has great reviews. It runs on {game.platform}."),
            ("what games came out lately", "The one everybody talks about is {game} by {game.maker}."),
        ),
        frames={
            "it": (
                "can I play [it|{game}] with friends?",
                "does [it|{game}] run on a mac?",
                "how long does [it|{game}] take to beat?",
                "download [it|{game}]",
                "is [it|{game}] cheaper on steam",
                "what's the difficulty of [it|{game}] like?",
                "who made [it|{game}] lol",
            ),
            "possessive": ("how big is [its|{game}'s] map?",),
        },
        whole=(
            "is {game2} better than {game}?",
            "does {game} have a multiplayer mode?",
            "what else did {game.maker} make besides {game}?",
        ),
    ),
    Scene(
        openings=(
            ("I finished {series} last night.", "How did you like {series}?"),
            ("Is {series} worth watching?", "Yes, {series} is among the best series of recent years."),
        ),
        frames={
            "it": (
                "how many seasons does [it|{series}] have?",
                "is there a new season of [it|{series}] coming?",
                "what network is [it|{series}] on?",
                "who plays the lead in [it|{series}]?",
                "play the next episode of [it|{series}]",
            ),
            "demonstrative": (
                "what should I watch if I liked [that|{series}]?",
                "are there other shows like [that|{series}]?",
            ),
        },
        whole=("how many seasons does {series} have?", "is {series2} as good as {series}?", "what is {series} about?"),
    ),
)

SHOPPING: Final = (
    Scene(
        openings=(
            (
                "Tell me about the {gadget}.",
                "The {gadget} by {gadget.maker} has {gadget.feature} and costs {gadget.price}.",
            ),
            ("I'm thinking of buying the {gadget}.", "Good choice. Reviewers praise {gadget.feature}."),
            ("Do you sell the {gadget}?", "Yes, we have the {gadget} in stock. We also have gear by {gadget2.maker}."),
        ),
        more=(
            ("Is the quality ok?", "Customers give 4.6 stars on average."),
            ("ok good", "Would you like to see the details?"),
        ),
        frames={
            "two clauses": (
                "if I buy [it|the {gadget}] today, when will it arrive?",
                "does [it|the {gadget}] warn me when its battery is low?",
                "before I order [it|the {gadget}], can I try it in a store?",
                "how much is [it|the {gadget}] and does it come in white?",
            ),
            "it": (
                "how much does [it|the {gadget}] cost?",
                "is [it|the {gadget}] waterproof?",
                "does [it|the {gadget}] come in black?",
                "how long does the battery of [it|the {gadget}] last?",
                "when will [it|the {gadget}] be back in stock?",
                "can I pay for [it|the {gadget}] in instalments?",
                "what's in the box with [it|the {gadget}]",
                "put [it|the {gadget}] in my basket",
                "is [it|the {gadget}] compatible with android?",
                "do you ship [it|the {gadget}] to {country}?",
                "where is [it|the {gadget}] made?",
            ),
            "possessive": (
                "what are [its|the {gadget}'s] dimensions?",
                "how good is [its|the {gadget}'s] camera?",
                "[its|the {gadget}'s] weight?",
            ),
            "bare question": (
                "how much[| is the {gadget}]?",
                "any discount[| on the {gadget}]?",
                "reviews[| of the {gadget}]?",
                "price[| of the {gadget}]?",
                "is there a warranty[| on the {gadget}]?",
                "any cheaper alternatives[| to the {gadget}]?",
            ),
            "demonstrative": (
                "I'll take [that one|the {gadget}]",
                "how does [this|the {gadget}] compare with the {gadget2}?",
            ),
        },
        whole=(
            "how much does the {gadget} cost?",
            "is the {gadget2} better than the {gadget}?",
            "does the {gadget} come with a charger?",
            "do you have gift cards?",
            "what are your opening hours?",
            "how long does the {gadget} last before its battery dies?",
        ),
    ),
    Scene(
        openings=(
            ("Should I get the {gadget} or the {gadget2}?", "Both are good. The {gadget} has {gadget.feature}."),
            (
                "Compare the {gadget} and the {gadget2}.",
                "The {gadget} costs {gadget.price}, the {gadget2} {gadget2.price}.",
            ),
        ),
        frames={
            "several antecedents": (
                "is [the first one|the {gadget}] waterproof?",
                "how heavy is [the second one|the {gadget2}]?",
                "I'll go with [the former|the {gadget}]",
                "does [the latter|the {gadget2}] have a warranty?",
                "how long does [the second|the {gadget2}] last?",
            ),
        },
        whole=("is the {gadget} worth {gadget.price}?", "does the {gadget2} come in red?"),
    ),
    Scene(
        openings=(
            ("Which is better, the {gadget} or the {gadget2}?", "It depends on what you need."),
            ("I can't choose: the {gadget} or the {gadget2}?", "Both have fans."),
        ),
        frames={
            "several antecedents": (
                "which one is cheaper[|, the {gadget} or the {gadget2}]?",
                "which is lighter[|, the {gadget} or the {gadget2}]?",
                "which one would you buy[|, the {gadget} or the {gadget2}]?",
                "which one lasts longer[|, the {gadget} or the {gadget2}]?",
            ),
        },
        whole=("what is the price of the {gadget2}?",),
    ),
    Scene(
        openings=(
            (
                "I bought {item.a} last week, but my {item} arrived damaged.",
                "I'm sorry to hear that. Could you send us the order number?",
                "It's {order}.",
                "Thank you. I can see order {order}, shipped from {city}.",
            ),
            ("Where is my {item}?", "It left our warehouse in {city} this morning."),
            ("my {item} has not arrived yet", "Let me check. The parcel is at the depot in {city}."),
            ("I have a problem with my {item}, order {order}.", "Sorry about that! What seems to be wrong?"),
        ),
        frames={
            "two clauses": (
                "if [it|my {item}] breaks again, can I send it back?",
                "where is [it|my {item}] now and when will it get here?",
            ),
            "support": (
                "can I return [it|my {item}]?",
                "can I still exchange [it|my {item}]?",
                "how do I send [it|my {item}] back?",
                "when will [it|my {item}] get here?",
                "I don't want [it|my {item}] anymore",
                "can you deliver [it|my {item}] to {street} instead?",
                "can I get a refund[| for my {item}]?",
                "who pays for shipping if I return [it|my {item}]?",
                "can someone pick [it|my {item}] up?",
                "is [it|my {item}] still under warranty?",
                "tracking number[| of my {item}]?",
                "how long do I have to return [it|my {item}]?",
                "i'd like a replacement[| for my {item}]",
            ),
        },
        whole=(
            "can I return my {item} without the box it came in?",
            "my address is {street}",
            "my order number is {order}",
            "I'd like to speak to a human",
            "I want to complain about your service",
            "do you also sell {plural}?",
        ),
    ),
    Scene(
        openings=(
            ("Do you have {plural}?", "Yes, we have {plural} from {price}."),
            ("I'm looking for {plural}.", "We have several {plural} in stock, some from {city}."),
            ("I ordered {plural} two days ago.", "Thanks, I see your order {order} for {plural}."),
        ),
        frames={
            "two clauses": (
                "if [they|the {plural}] don't fit, can I return them?",
                "how much are [they|the {plural}] and do they come in red?",
            ),
            "plural pronoun": (
                "are [they|the {plural}] in stock in my size?",
                "how much are [they|the {plural}]?",
                "can I return [them|the {plural}]?",
                "do you have [them|{plural}] in green?",
                "are [those|the {plural}] on sale?",
                "what are [they|the {plural}] made of?",
                "how long do [they|the {plural}] last?",
                "add two of [those|the {plural}] to my cart",
                "where are [these|the {plural}] made?",
                "can you ship [them|the {plural}] to {city2}?",
            ),
        },
        whole=("are the {plural} waterproof?", "how much are the {plural}?", "do you sell {plural2} too?"),
    ),
    Scene(
        openings=(
            ("How far does the {car} go on a charge?", "The {car} has a range of {car.range}."),
            ("I test drove the {car} yesterday.", "How did you like the {car}? Prices start at {car.price}."),
        ),
        frames={
            "it": (
                "how fast does [it|the {car}] charge?",
                "how many seats does [it|the {car}] have?",
                "does [it|the {car}] have a heat pump?",
                "can [it|the {car}] tow a trailer?",
                "is [it|the {car}] safe?",
                "what does insurance cost for [it|the {car}]?",
            ),
            "possessive": ("how big is [its|the {car}'s] boot?", "what is [its|the {car}'s] top speed?"),
        },
        whole=("is the {car} cheaper than the {car2}?", "how much is the {car} with winter tyres on it?"),
    ),
    Scene(
        openings=(
            ("I'm on the {plan}.", "Thanks. How can I help you with the {plan}?"),
            ("What does the {plan} cost?", "The {plan} is {price} a month."),
            ("I'd like to sign up for the {plan}.", "Great, the {plan} is {price} a month. Shall I go ahead?"),
        ),
        frames={
            "support": (
                "what's included in [it|the {plan}]?",
                "how do I cancel [it|the {plan}]?",
                "can I switch from [that|the {plan}] to the {plan2}?",
                "when does [it|the {plan}] renew?",
                "how many people can use [it|the {plan}]?",
                "is there a yearly price[| for the {plan}]?",
                "can I pause [it|the {plan}] for a month",
                "does [it|the {plan}] come with phone support?",
            ),
        },
        whole=(
            "what's the difference between the {plan} and the {plan2}?",
            "I forgot my password",
            "can I pay by card?",
        ),
    ),
)

HOME: Final = (
    Scene(
        openings=(
            ("Turn on the {device}.", "OK, the {device} is on."),
            ("Is the {device} on?", "Yes, the {device} is on."),
            ("Did I leave the {device} on?", "Yes, the {device} has been on for {number} hours."),
            ("what's the status of the {device}", "The {device} is running."),
        ),
        frames={
            "two clauses": (
                "turn [it|the {device}] off and turn it back on at {time}",
                "if [it|the {device}] is still on, switch it off",
                "check [it|the {device}] and tell me if it is working",
            ),
            "command": (
                "turn [it|the {device}] off",
                "switch [it|the {device}] off at {time}",
                "turn [it|the {device}] off when I leave",
                "turn [it|the {device}] back on in {number} minutes",
                "restart [it|the {device}]",
                "how much power does [it|the {device}] use?",
                "please turn [that|the {device}] off",
                "set a schedule for [it|the {device}]",
                "is [it|the {device}] still on?",
                "can you shut [it|the {device}] down for the night",
                "rename [it|the {device}] to Bob",
            ),
        },
        whole=(
            "turn off the {device2}",
            "turn everything off",
            "lock the front door",
            "turn the {device} off at {time}",
            "set the temperature to 21 degrees",
            "good night, turn off all the lights",
        ),
    ),
    Scene(
        openings=(
            ("When is {meeting}?", "You have {meeting} {when} at {time}."),
            ("What's on my calendar?", "You have {meeting} at {time}."),
            ("Remind me of {meeting}.", "Sure, I'll remind you of {meeting} at {time}."),
        ),
        frames={
            "command": (
                "move [it|{meeting}] to {time2}",
                "cancel [it|{meeting}]",
                "push [it|{meeting}] back by an hour",
                "who's coming to [it|{meeting}]?",
                "invite {contact} to [it|{meeting}]",
                "where is [it|{meeting}]?",
                "how long is [it|{meeting}]?",
                "can we do [that|{meeting}] online instead?",
                "make [it|{meeting}] half an hour shorter",
                "remind me an hour before [it|{meeting}]",
                "reschedule [that|{meeting}] for {day2}",
            ),
        },
        whole=(
            "what do I have on {day2}?",
            "cancel {meeting}",
            "move {meeting} to {time2}",
            "add lunch with {contact} at noon",
        ),
    ),
    Scene(
        openings=(
            ("Set an alarm for {time}.", "Your alarm is set for {time}."),
            ("Wake me up at {time}.", "OK, I have set an alarm for {time}."),
        ),
        frames={
            "command": (
                "delete [it|the alarm for {time}]",
                "set [one|an alarm] for {time2} too",
                "change [it|the alarm] to {time2}",
                "make [that|the alarm for {time}] every day",
                "turn [it|the alarm] off",
                "no, [|set an alarm for ]{time2}",
                "and [another one|an alarm] at {time2}",
            ),
        },
        whole=(
            "set a timer for {number} minutes",
            "what time is it?",
            "how many alarms do I have?",
            "delete all my alarms",
        ),
    ),
    Scene(
        openings=(
            ("I got an email from {contact}.", "Yes, {contact} wrote at {time} about {meeting}."),
            ("Did {contact} call?", "Yes, you missed a call from {contact} at {time}."),
            ("Read my last message.", "{contact} wrote: see you at {time}!"),
        ),
        frames={
            "two clauses": (
                "call [{contact.him}|{contact}] and tell {contact.him} I'm late",
                "ask [{contact.him}|{contact}] if {contact.he} is free on {day}",
                "did [{contact.he}|{contact}] say when {contact.he} will arrive?",
                "text [{contact.him}|{contact}] that I have {contact.his} keys",
            ),
            "command": (
                "call [{contact.him}|{contact}] back",
                "text [{contact.him}|{contact}] that I'm running late",
                "reply to [{contact.him}|{contact}] with a thumbs up",
                "did [{contact.he}|{contact}] say anything else?",
                "what's [{contact.his}|{contact}'s] number?",
                "tell [{contact.him}|{contact}] I'll be there in {number} minutes",
                "invite [{contact.him}|{contact}] to dinner {when}",
                "what did [{contact.he}|{contact}] want?",
                "block [{contact.his}|{contact}'s] number",
                "share my location with [{contact.him}|{contact}]",
                "when is [{contact.his}|{contact}'s] birthday",
            ),
        },
        whole=(
            "call {contact2}",
            "text {contact} that I miss {contact.him}",
            "tell {contact2} I'll see {contact2.him} tomorrow",
            "do I have any new messages?",
            "call mum",
        ),
    ),
    Scene(
        openings=(
            ("Find the {file}.", "I found the {file} in your documents."),
            ("Where did I save the {file}?", "The {file} is in the folder Work, last changed on {day}."),
        ),
        frames={
            "two clauses": (
                "open [it|the {file}] and print it twice",
                "send [it|the {file}] to {contact} and ask {contact.him} to read it",
                "rename [it|the {file}] and move it to my desktop",
            ),
            "command": (
                "open [it|the {file}]",
                "share [it|the {file}] with {contact}",
                "print [it|the {file}] twice",
                "rename [it|the {file}] to final_v2",
                "when did I last edit [it|the {file}]?",
                "delete [it|the {file}]",
                "email [it|the {file}] to {contact} pls",
                "who has access to [it|the {file}]?",
                "make a copy of [that|the {file}]",
            ),
        },
        whole=(
            "open the {file2}",
            "share the {file} with {contact}",
            "create a new folder called taxes",
            "empty the trash",
        ),
    ),
)

TRAVEL: Final = (
    Scene(
        openings=(
            ("I'm going to {city} next month.", "Lovely! Don't miss {city.sight} while you are in {city}."),
            ("Tell me about {city}.", "{city} is in {city.country}. Visitors like {city.sight} and {city.food}."),
            ("What can I do in {city}?", "You can see {city.sight} or try {city.food}."),
            ("My sister moved to {city} last year.", "{city} is a lively place, and you must try the {city.food}."),
        ),
        more=(
            ("Is the food good?", "Yes, especially the {city.food}."),
            ("Sounds fun.", "It is!"),
        ),
        frames={
            "place": (
                "how do I get [there|to {city}]?",
                "what's the weather like [there|in {city}]?",
                "is it safe [there|in {city}]?",
                "what language do they speak [there|in {city}]?",
                "how expensive is a hotel [there|in {city}]?",
                "do I need a visa to go [there|to {city}]?",
                "what time is it [there|in {city}]?",
                "book me a flight [there|to {city}]",
                "are there good museums [there|in {city}]?",
                "what's the best time to visit[| {city}]?",
                "how many people live [there|in {city}]",
                "when is [this city|{city}] at its best?",
                "any vegan places [there|in {city}]?",
            ),
            "possessive": (
                "what is [its|{city}'s] population?",
                "who is [its|{city}'s] mayor?",
                "what is [its|{city}'s] airport called?",
            ),
            "besides": ("what else can I see [there|in {city}]?", "anything else to do [there|in {city}]?"),
        },
        whole=(
            "what's the weather like in {city}?",
            "is it raining in {city} right now?",
            "is it safe to walk at night in {city}?",
            "how far is {city} from {city2}?",
            "what time is it in {city2}?",
            "what should I pack for a long flight?",
            "is it worth visiting {city.sight}?",
            "does {city} have a metro, and is it cheap?",
        ),
    ),
    Scene(
        openings=(
            (
                "Find a restaurant in {city}.",
                "I found three: {restaurant}, {restaurant2} and {restaurant3}.",
            ),
            ("where can I eat in {city}", "You could try {restaurant}, {restaurant2} or {restaurant3}."),
        ),
        frames={
            "ordinal": (
                "how much is [the second one|{restaurant2}]?",
                "book [the first one|{restaurant}]",
                "is [the third one|{restaurant3}] open on {day}?",
                "does [the last one|{restaurant3}] have vegan food?",
                "tell me more about [the second|{restaurant2}]",
                "where exactly is [the first|{restaurant}]?",
                "[the second one|{restaurant2}]?",
                "[number 2|{restaurant2}] sounds good",
            ),
            "besides": ("any other places[| in {city}]?",),
        },
        whole=("book a table at {restaurant}", "is {restaurant2} open on Sundays?", "how about we just order pizza?"),
    ),
    Scene(
        openings=(
            ("Is {restaurant} any good?", "{restaurant} has 4.5 stars and is popular for {food}."),
            ("Book {party} at {restaurant} for tonight.", "I'm sorry, {restaurant} is full tonight."),
            ("My friend recommended {restaurant}.", "{restaurant} is great. They are known for their {food}."),
        ),
        frames={
            "place": (
                "what time does [it|{restaurant}] close?",
                "is there parking [there|at {restaurant}]?",
                "book a table [there|at {restaurant}] for {day}",
                "how do I get [there|to {restaurant}]?",
                "do they have vegan options [there|at {restaurant}]?",
                "is [that place|{restaurant}] expensive?",
                "show me the menu[| of {restaurant}]",
                "what's the phone number[| of {restaurant}]?",
                "can I bring my dog [there|to {restaurant}]?",
            ),
        },
        whole=("is {restaurant2} better than {restaurant}?", "do I need a reservation at {restaurant}?", "I'm hungry"),
    ),
    Scene(
        openings=(
            ("Book {party} at {restaurant} for tonight.", "Sorry, there is nothing free tonight."),
            ("I need {party} at {restaurant}.", "For which day?"),
        ),
        frames={
            "one": (
                "book [one|{party} at {restaurant}] for tomorrow",
                "then get me [one|{party} at {restaurant}] for {day}",
                "is there [one|{party} at {restaurant}] at {time}?",
                "[|{party} at {restaurant} ]for {day} then",
                "{time} is fine[| for {party} at {restaurant}]",
            ),
        },
        whole=("forget it, I'll cook at home", "never mind, find a pizza place nearby"),
    ),
    Scene(
        openings=(
            ("Find me a hotel in {city}.", "{hotel} in {city} has rooms from {price} a night."),
            ("How is {hotel}?", "Guests like {hotel} for the quiet rooms and the breakfast."),
            ("I booked {hotel} for {day}.", "Great, {hotel} is confirmed for {day}."),
        ),
        frames={
            "it": (
                "does [it|{hotel}] have a pool?",
                "is breakfast included [there|at {hotel}]?",
                "how far is [it|{hotel}] from the airport?",
                "can I cancel [it|{hotel}] for free?",
                "book [it|{hotel}] for three nights",
                "is [it|{hotel}] pet friendly",
                "what time is check-in[| at {hotel}]?",
                "do they have wifi[| at {hotel}]?",
                "how many stars does [it|{hotel}] have?",
                "what's the address[| of {hotel}]?",
            ),
        },
        whole=(
            "is {hotel} close to the station?",
            "find me a cheaper hotel in {city2}",
            "does {hotel} have a gym on its top floor?",
        ),
    ),
    Scene(
        openings=(
            ("Is {flight} to {city} on time?", "{flight} to {city} is delayed by {number} minutes."),
            ("I'm on {flight} to {city}.", "{flight} leaves at {time} from gate B{number}."),
            ("Track {flight}.", "{flight} to {city} has just taken off."),
        ),
        frames={
            "it": (
                "when does [it|{flight}] land?",
                "which terminal does [it|{flight}] arrive at?",
                "can I still check in for [it|{flight}]?",
                "is there wifi on [it|{flight}]?",
                "how late is [it|{flight}]?",
                "tell me when [it|{flight}] lands",
                "can I change my seat on [that flight|{flight}]?",
                "what's the gate[| of {flight}]?",
                "how many bags can I take on [it|{flight}]?",
            ),
            "place": ("what's the temperature [there|in {city}]?", "will it rain [there|in {city}] {when}?"),
        },
        whole=(
            "is {flight} delayed?",
            "what is the baggage allowance on {flight}?",
            "find flights from {city} to {city2} on {day}",
        ),
    ),
    Scene(
        openings=(
            ("How tall is the {landmark}?", "The {landmark} in {landmark.place} is {landmark.height} tall."),
            ("Where is the {landmark}?", "The {landmark} is in {landmark.place}."),
        ),
        frames={
            "two clauses": (
                "why was [it|the {landmark}] built and who paid for it?",
                "was the man who designed [it|the {landmark}] famous?",
            ),
            "it": (
                "when was [it|the {landmark}] built?",
                "who designed [it|the {landmark}]?",
                "how much is a ticket for [it|the {landmark}]?",
                "is [it|the {landmark}] open on {day}?",
                "can you climb [it|the {landmark}]?",
                "how many people visit [it|the {landmark}] every year?",
            ),
            "place": ("what else is there to see [there|in {landmark.place}][| besides the {landmark}]?",),
        },
        whole=("is the {landmark} taller than the {landmark2}?", "when was the {landmark} built and who designed it?"),
    ),
)

KNOWLEDGE: Final = (
    Scene(
        openings=(
            ("What does {company} do?", "{company} makes {company.product} and is based in {company.place}."),
            ("Who is the CEO of {company}?", "{company.boss} leads {company}."),
            ("How is {company} doing?", "{company} had a strong quarter, while {company2} fell short."),
        ),
        frames={
            "two clauses": (
                "who founded [it|{company}] and how did it get so big?",
                "did [it|{company}] apologise after it raised its prices?",
                "when [it|{company}] started, how many people worked for it?",
                "why did [it|{company}] close its office in {city}?",
            ),
            "it": (
                "where is [it|{company}] based?",
                "when was [it|{company}] founded?",
                "how many employees does [it|{company}] have?",
                "should I invest in [it|{company}]?",
                "is [it|{company}] listed on the stock exchange?",
                "has [it|{company}] ever made a loss?",
            ),
            "possessive": (
                "what's [its|{company}'s] stock price?",
                "who are [its|{company}'s] biggest competitors?",
                "what was [their|{company}'s] revenue last year?",
                "what is [its|{company}'s] market cap",
            ),
            "plural pronoun": ("did [they|{company}] lay people off?", "can I apply to [them|{company}] directly?"),
            "besides": ("what else does [it|{company}] make?",),
        },
        whole=(
            "what is the stock price of {company}?",
            "is {company} bigger than {company2}?",
            "who are the competitors of {company}?",
            "did {company} say when it will report earnings?",
        ),
    ),
    Scene(
        openings=(
            ("What is {library}?", "{library} is a library for {library.topic}. An alternative is {library.rival}."),
            ("How do I get started with {library}?", "Install {library} and try {library.call} first."),
            ("I'm learning {library}.", "Great, {library} is a good choice for {library.topic}."),
        ),
        frames={
            "it": (
                "how do I install [it|{library}]?",
                "is [it|{library}] faster than {library.rival}?",
                "what license does [it|{library}] use?",
                "does [it|{library}] work on windows",
                "which version of [it|{library}] should I use?",
                "who maintains [it|{library}]?",
                "show me an example with [it|{library}]",
                "how do I uninstall [it|{library}]?",
                "is [it|{library}] thread-safe?",
            ),
            "possessive": ("where are [its|{library}'s] docs?", "what are [its|{library}'s] main drawbacks?"),
            "besides": ("what else can I use[| besides {library}]?", "any alternatives[| to {library}]?"),
        },
        whole=(
            "what does {library.call} do?",
            "how do I install {library}?",
            "is {library} faster than {library.rival}?",
            "how do I sort a list in Python?",
            "what is the difference between {library} and {library.rival}?",
        ),
    ),
    Scene(
        openings=(
            ("What does {library.call} do in {library}?", "{library.call} is one of the core parts of {library}."),
            ("I keep getting strange results from {library.call}.", "Could you show me how you call {library.call}?"),
        ),
        frames={
            "it": (
                "what does [it|{library.call}] return?",
                "when should I use [it|{library.call}]?",
                "is [it|{library.call}] deprecated?",
                "can I call [it|{library.call}] in a loop?",
                "what arguments does [it|{library.call}] take?",
                "how do I mock [that|{library.call}] in tests?",
            ),
        },
        whole=("is {library.call} slow?", "why would I use {library.call} instead of a for loop?"),
    ),
    Scene(
        openings=(
            ("I get {error} when I start the program.", "{error} can have several causes. Which system do you use?"),
            ("My script fails with {error}.", "Let me look at that. Did you change anything lately?"),
            ("{error} again...", "Ah, {error} is a common one."),
            (
                "My app crashed with {error}.",
                "Sorry! Which version do you use?",
                "the latest one",
                "Thanks, please clear the cache and try again.",
                "I did, no luck.",
                "Then please reinstall the app.",
            ),
        ),
        frames={
            "support": (
                "how do I fix [it|{error}]?",
                "what causes [that|{error}]?",
                "what does [that|{error}] mean?",
                "is [this|{error}] dangerous?",
                "how can I reproduce [it|{error}]?",
                "why do I keep getting [it|{error}]?",
                "how do i get rid of [this|{error}]",
                "where can I find logs for [it|{error}]?",
                "can you explain [that error|{error}]?",
                "does [this|{error}] happen to other people too?",
            ),
        },
        whole=("how do I fix {error}?", "what does {error2} mean?", "I use Windows 11", "I'm on version 2.{number}"),
    ),
    Scene(
        openings=(
            ("{app} keeps crashing.", "Have you tried to update {app}?"),
            ("I can't log in to {app}.", "Please try to reset your password."),
            ("How do I change the language in {app}?", "Open the settings of {app} and choose a language."),
        ),
        more=(("Done, no change.", "Then please restart your phone."), ("I use a Galaxy S24", "Thank you, noted.")),
        frames={
            "support": (
                "how do I reinstall [it|{app}]?",
                "is [it|{app}] down?",
                "how do I uninstall [it|{app}]?",
                "where do I find the settings[| of {app}]?",
                "does [it|{app}] work offline?",
                "how do I delete my account [there|in {app}]?",
                "is there a web version of [it|{app}]?",
                "how do I turn off notifications for [it|{app}]?",
                "why does [it|{app}] need my location?",
                "update [it|{app}] now",
                "how much storage does [it|{app}] use",
            ),
        },
        whole=(
            "is {app} free?",
            "how do I update {app} on my phone?",
            "does {app2} work better than {app}?",
            "I already tried restarting my phone",
            "what is the latest version of {app}?",
        ),
    ),
    Scene(
        openings=(
            ("What is {medicine} for?", "{medicine} is used for {medicine.use}. It is also sold as {medicine.maker}."),
            ("My doctor prescribed {medicine}.", "{medicine} helps with {medicine.use}."),
            ("Does {medicine} have side effects?", "Yes, {medicine} can cause {medicine.effect}."),
        ),
        frames={
            "two clauses": ("if I forget to take [it|{medicine}], can I take it later?",),
            "it": (
                "how often can I take [it|{medicine}]?",
                "can I take [it|{medicine}] with alcohol?",
                "is [it|{medicine}] safe during pregnancy?",
                "do I need a prescription for [it|{medicine}]?",
                "how quickly does [it|{medicine}] work?",
                "what happens if I miss a dose of [it|{medicine}]?",
                "can I drive after taking [it|{medicine}]?",
                "can I combine [it|{medicine}] with {medicine2}?",
            ),
            "possessive": ("what are [its|{medicine}'s] side effects?",),
        },
        whole=(
            "can I take {medicine} with {medicine2}?",
            "what is the maximum dose of {medicine}?",
            "should I see a doctor?",
            "how does {medicine} work and when should I take it?",
        ),
    ),
    Scene(
        openings=(
            ("Does {medicine} have side effects?", "Yes, {medicine} can cause {medicine.effect}."),
            ("What are the side effects of {medicine}?", "The most common one is {medicine.effect}."),
        ),
        frames={
            "besides": (
                "any other side effects[| of {medicine} besides {medicine.effect}]?",
                "anything else[| besides {medicine.effect}]?",
                "are there others[| besides {medicine.effect}]?",
                "what else can [it|{medicine}] cause[| besides {medicine.effect}]?",
                "how common is [that|{medicine.effect}]?",
            ),
        },
        whole=("does {medicine} cause anything besides {medicine.effect}?", "which painkiller is safest?"),
    ),
    Scene(
        openings=(
            ("What is {illness}?", "{illness} is a condition that often shows as {illness.sign}."),
            ("I think I have {illness}.", "{illness} often comes with {illness.sign}. Please see a doctor to be sure."),
            ("My son has {illness}.", "Sorry to hear that. {illness} can be triggered by {illness.cause}."),
        ),
        frames={
            "it": (
                "is [it|{illness}] contagious?",
                "how is [it|{illness}] treated?",
                "what causes [it|{illness}]?",
                "can [it|{illness}] be cured?",
                "how long does [it|{illness}] last?",
                "who gets [it|{illness}] most often?",
                "does [it|{illness}] run in families?",
            ),
            "possessive": ("what are [its|{illness}'s] early signs?",),
            "bare question": (
                "symptoms[| of {illness}]?",
                "treatment[| of {illness}]?",
                "home remedies[| for {illness}]?",
                "causes[| of {illness}]?",
            ),
        },
        whole=("what causes {illness}?", "is {illness} the same as {illness2}?", "how do I book an appointment?"),
    ),
    Scene(
        openings=(
            ("What is {finance}?", "It is {finance.gloss}. Some people prefer {finance.rival}."),
            ("Explain {finance} to me.", "Sure: {finance.gloss}."),
        ),
        frames={
            "it": (
                "is [it|{finance}] risky?",
                "what are the fees for [it|{finance}]?",
                "how is [it|{finance}] taxed?",
                "who should use [it|{finance}]?",
                "how is [that|{finance}] different from {finance.rival}?",
                "pros and cons of [it|{finance}]?",
                "do you think [it|{finance}] makes sense for me?",
            ),
        },
        whole=(
            "is {finance} better than {finance.rival}?",
            "what is the inflation rate in {country}?",
            "how do I save money?",
        ),
    ),
    Scene(
        openings=(
            ("How do I make {food}?", "The key to {food} is {food.part}."),
            ("I had {food} for dinner.", "Yum! {food} with good {food.part} is wonderful."),
            ("What's in {food}?", "Typical {food} contains {food.part}. Each serving has {food.kcal} kcal."),
        ),
        frames={
            "two clauses": (
                "can I freeze [it|{food}] once it has cooled down?",
                "how do I cook [it|{food}] so that it tastes good?",
            ),
            "it": (
                "how many calories does [it|{food}] have?",
                "can I freeze [it|{food}]?",
                "where does [it|{food}] come from?",
                "how long does [it|{food}] keep in the fridge?",
                "is [it|{food}] gluten-free?",
                "what goes well with [it|{food}]?",
                "how do you pronounce [that|{food}]?",
                "can kids eat [it|{food}]?",
                "can I make [it|{food}] without {food.part}?",
                "give me a vegan version of [it|{food}]",
            ),
            "bare question": ("calories[| in {food}]?", "recipe[| for {food}]?", "ingredients[| of {food}]?"),
        },
        whole=(
            "is {food} healthy?",
            "how long does it take to cook {food}?",
            "can I use {food.part} in {food2}?",
            "I'm allergic to nuts",
        ),
    ),
    Scene(
        openings=(
            ("Who won, {team} or {team.rival}?", "{team} beat {team.rival}, and {team.star} was the best player."),
            ("How did {team} play?", "{team} won, {team.star} scored twice."),
        ),
        frames={
            "two clauses": (
                "if [they|{team}] win the next game, will they be top of the table?",
                "how do [they|{team}] celebrate when they win?",
            ),
            "plural pronoun": (
                "when do [they|{team}] play next?",
                "where are [they|{team}] in the table?",
                "who is [their|{team.own}] coach?",
                "how many titles have [they|{team}] won?",
                "who did [they|{team}] sign this summer?",
                "get me tickets for [their|{team.own}] next game",
            ),
        },
        whole=("when do {team} play next?", "who is the top scorer of {team}?", "do {team} have their own stadium?"),
    ),
    Scene(
        openings=(
            ("When was {event}?", "{event} took place in {event.place} in {event.year}."),
            (
                "What do you know about {event}?",
                "It happened in {event.place} in {event.year}, and {event} changed a lot.",
            ),
        ),
        frames={
            "it": (
                "what caused [it|{event}]?",
                "why is [it|{event}] important?",
                "how long did [it|{event}] last?",
                "who was involved in [it|{event}]?",
                "are there any good books about [it|{event}]?",
            ),
            "time": (
                "what else happened [then|in {event.year}][| besides {event}]?",
                "who was in power [there|in {event.place}] [then|in {event.year}]?",
                "what was life like [there|in {event.place}] [at that time|in {event.year}]?",
                "how many people lived [there|in {event.place}] [back then|in {event.year}]?",
                "what happened after [that|{event}]?",
            ),
        },
        whole=("what caused {event}?", "was {event} before {event2}?", "what happened in {year}?"),
    ),
    Scene(
        openings=(
            ("How long does {animal.a} live?", "The {animal} lives about {animal.life} and eats {animal.food}."),
            ("What does {animal.a} eat?", "Mostly {animal.food}. In zoos {animal.a} also gets fruit."),
        ),
        frames={
            "two clauses": (
                "what does [it|{animal.a}] do when it is scared?",
                "if [it|{animal.a}] loses its mother, can it survive?",
            ),
            "it": (
                "where does [it|{animal.a}] live?",
                "is [it|{animal.a}] dangerous?",
                "can I keep [one|{animal.a}] as a pet?",
                "how big does [it|{animal.a}] get?",
                "does [it|{animal.a}] sleep in winter?",
                "show me a picture of [one|{animal.a}]",
            ),
            "besides": ("what else does [it|{animal.a}] eat[| besides {animal.food}]?",),
        },
        whole=("is {animal.a} bigger than {animal2.a}?", "where does {animal.a} live?", "do cats like water?"),
    ),
)

ELLIPSIS: Final = (
    contrast(
        "what's the weather like",
        "{city}",
        "{city2}",
        "",
        ("It's sunny, about {degree} degrees.", "Rainy, I'm afraid."),
        "in",
    ),
    contrast("what time is it", "{city}", "{city2}", "", ("It is {time} in {city}.",), "in"),
    contrast("how much is a one-bedroom flat", "{city}", "{city2}", "", ("Expect around {price} a week.",), "in"),
    contrast(
        "who is the president",
        "{country}",
        "{country2}",
        "",
        ("I'd have to look that up.", "One moment, let me check."),
        "of",
    ),
    contrast(
        "what is the capital",
        "{country}",
        "{country2}",
        "",
        ("{country.capital} is the capital.", "{country.capital}."),
        "of",
    ),
    contrast(
        "how tall is", "the {landmark}", "the {landmark2}", "", ("{landmark.height}.", "It is {landmark.height} tall.")
    ),
    contrast(
        "how old is", "{person}", "{person2}", "", ("{person} was born in {person.year}.", "Born in {person.year}.")
    ),
    contrast("when was", "{person}", "{person2}", " born", ("In {person.year}.", "{person.year}, in {person.place}.")),
    contrast(
        "how much is",
        "the {gadget}",
        "the {gadget2}",
        "",
        ("The {gadget} is {gadget.price}.", "{gadget.price} plus tax."),
    ),
    contrast(
        "how do you say {word}", "{tongue}", "{tongue2}", "", ("Let me play it for you.", "It sounds like this."), "in"
    ),
    contrast(
        "how much is {amount}",
        "{currency}",
        "{currency2}",
        "",
        ("One moment.", "Let me see."),
        "in",
    ),
    contrast("is {app} available", "{country}", "{country2}", "", ("Yes, it is.", "Not yet, sorry."), "in"),
    contrast("do I need a visa", "{country}", "{country2}", "", ("For short stays you don't.", "Yes, you do."), "for"),
    contrast("are you open", "{when}", "{when2}", "", ("Yes, from {time}.", "No, sorry.")),
    contrast("how many calories are", "{food}", "{food2}", "", ("Around {food.kcal} kcal per serving.",), "in"),
    contrast("what is the stock price", "{company}", "{company2}", "", ("{company} closed at {price}.",), "of"),
    contrast(
        "when does", "the train to {city}", "the train to {city2}", " leave", ("At {time}.", "It leaves at {time}.")
    ),
    contrast(
        "play some music",
        "{band}",
        "{band2}",
        "",
        ("Playing {band.song}.", "Here is {band.album} by {band}."),
        "by",
        "",
    ),
    contrast("turn on the light", "{room}", "{room2}", "", ("OK, it's on.", "Done."), "in", ""),
    contrast(
        "is {medicine} safe", "children", "pregnant women", "", ("Usually, in low doses.", "Ask a doctor."), "for"
    ),
    contrast("will it rain in {city}", "{when}", "{when2}", "", ("Probably not.", "Yes, bring an umbrella.")),
    contrast(
        "how do I install {library}", "Windows", "Ubuntu", "", ("Run the installer.", "Use the package manager."), "on"
    ),
    contrast(
        "do you have {plural}", "size {number}", "size {number2}", "", ("Yes, two pairs.", "Sorry, sold out."), "in"
    ),
    contrast(
        "show me flights to {city}",
        "under {price}",
        "under {price2}",
        "",
        ("I found {flight}.", "None, sorry."),
        mark="",
    ),
    contrast("who won the {team.sport} final", "{year}", "{year2}", "", ("It was {team}.", "{team} did."), "in"),
    contrast("set a timer", "{number} minutes", "{number2} minutes", "", ("Your timer is running.",), "for", ""),
    contrast("how long does it take to get to {city}", "train", "car", "", ("About {hour} hours.",), "by"),
    asked_back("was {flight} to {city} cancelled", ("Yes, it was.", "Yes, I'm afraid so."), "why", "when", "how come"),
    asked_back("did {company} raise its prices", ("Yes.", "It did, yes."), "why", "when", "by how much", "ok why"),
    asked_back("is {company} hiring", ("Yes, all over the world.", "Yes!"), "where", "since when", "why"),
    asked_back("has {person} retired", ("Yes.", "I believe so."), "why", "since when", "oh no why"),
    asked_back("did {team} beat {team.rival}", ("They did!", "Yes, easily."), "when", "where", "how"),
    asked_back("can I cancel the {plan}", ("Yes, at any time.", "You can."), "how", "until when", "where"),
    asked_back("is the {landmark} closed", ("Yes, for repairs.", "Yes."), "why", "since when", "until when"),
    asked_back("does the {gadget} get hot", ("Sometimes it does.", "It can."), "why", "when"),
    asked_back("can I freeze {food}", ("Yes, you can.", "Sure."), "for how long", "how", "really? how"),
    asked_back("did {person} move to {city}", ("Yes.", "That is right."), "when", "why", "with whom"),
    asked_back("is {app} down", ("Yes, for some users.", "It seems so."), "why", "since when", "where"),
    asked_back(
        "are there flights to {city}", ("Yes, several a day.", "There are."), "from where", "at what time", "how often"
    ),
    Scene(
        openings=(
            ("I'd like to return my {item}.", "Of course. May I ask why you want to return it?"),
            ("Can I pick up my {item} today?", "Yes, your {item} is ready at {street}."),
        ),
        frames={
            "bare question": (
                "how long does a refund take[| for my {item}]?",
                "do I need the receipt[| for my {item}]?",
                "do I need the original box[| for my {item}]?",
            ),
        },
        whole=("because my {item} is too small", "I changed my mind", "my {item} is broken and I want my money back"),
    ),
    Scene(
        openings=(
            ("How much is a ticket to {city}?", "A ticket to {city} is {price} one way."),
            ("What does a ticket to {city} cost?", "It's {price} in second class."),
        ),
        frames={
            "bare question": ("how much is [that|{price}] in {currency}?", "[that|{price}]'s for two people?"),
            "one": (
                "get me [one|a ticket to {city}]",
                "book [one|a ticket to {city}] for {day}",
                "can I get [one|a ticket to {city}] at the station?",
            ),
        },
        whole=("how much is a ticket to {city2}?", "are there cheaper train tickets for students?"),
    ),
    Scene(
        openings=(
            ("Convert {amount} to {currency}.", "One moment, I'm looking up the rate for {currency}."),
            ("I make {amount} a week.", "Got it, {amount} a week."),
        ),
        frames={
            "demonstrative": (
                "what's [that|{amount}] in {currency2}?",
                "how much is [that|{amount}] after tax?",
                "is [that|{amount}] a lot in {country}?",
            ),
        },
        whole=("what's {amount} in {currency2}?", "what's 15% of 240?", "how many euros is 99.90 pounds?"),
    ),
)

SCENES: Final[tuple[Scene, ...]] = (
    leading_to("resolved inside", PEOPLE) + MEDIA + SHOPPING + HOME + TRAVEL + KNOWLEDGE + ELLIPSIS
)
