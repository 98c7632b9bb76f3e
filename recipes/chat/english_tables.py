"""Who and what the English dialogues speak of."""

from typing import Final

from recipes.chat.compose import Table, Tables, names, table

_PRONOUNS: Final = {
    "m": {"he": "he", "him": "him", "his": "his", "himself": "himself"},
    "f": {"he": "she", "him": "her", "his": "her", "himself": "herself"},
}


def _with_pronouns(rows: Table) -> Table:
    return tuple({**row, **_PRONOUNS[row["sex"]]} for row in rows)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _with_article(rows: Table) -> Table:
    return tuple({**row, "a": f"{_article(row['name'])} {row['name']}"} for row in rows)


def _with_trade(rows: Table) -> Table:
    """The role with its article."""
    return tuple({**row, "trade": f"{_article(row['role'])} {row['role']}"} for row in _with_pronouns(rows))


def _with_possessive(rows: Table) -> Table:
    """For names that may be plural: the Lakers' coach, Coldplay's songs."""
    return tuple({**row, "own": row["name"] + ("'" if row["name"].endswith("s") else "'s")} for row in rows)


TABLES: Final[Tables] = {
    "person": _with_trade(
        table(
            "name | short | sex | role | place | year | work",
            """
            Roger Federer | Federer | m | tennis player | Basel | 1981 | the Laver Cup
            Serena Williams | Williams | f | tennis player | Saginaw | 1981 | the Battle of the Sexes documentary
            Chimamanda Ngozi Adichie | Adichie | f | novelist | Enugu | 1977 | Americanah
            Gabriel García Márquez | García Márquez | m | novelist | Aracataca | 1927 | One Hundred Years of Solitude
            Haruki Murakami | Murakami | m | novelist | Kyoto | 1949 | Norwegian Wood
            Zadie Smith | Smith | f | novelist | London | 1975 | White Teeth
            Toni Morrison | Morrison | f | novelist | Lorain | 1931 | Beloved
            Orhan Pamuk | Pamuk | m | novelist | Istanbul | 1952 | Snow
            Beyoncé Knowles | Beyoncé | f | singer | Houston | 1981 | Lemonade
            Björk Guðmundsdóttir | Björk | f | singer | Reykjavík | 1965 | Vespertine
            Bad Bunny | Bad Bunny | m | rapper | Vega Baja | 1994 | Un Verano Sin Ti
            Fela Kuti | Kuti | m | musician | Abeokuta | 1938 | Zombie
            Rosalía Vila | Rosalía | f | singer | Sant Esteve Sesrovires | 1992 | Motomami
            Greta Gerwig | Gerwig | f | director | Sacramento | 1983 | Lady Bird
            Bong Joon-ho | Bong | m | director | Daegu | 1969 | Parasite
            Agnès Varda | Varda | f | director | Ixelles | 1928 | Cléo from 5 to 7
            Pedro Almodóvar | Almodóvar | m | director | Calzada de Calatrava | 1949 | Volver
            Hayao Miyazaki | Miyazaki | m | animator | Tokyo | 1941 | Spirited Away
            Marie Curie | Curie | f | physicist | Warsaw | 1867 | the discovery of radium
            Srinivasa Ramanujan | Ramanujan | m | mathematician | Erode | 1887 | the theory of partitions
            Maryam Mirzakhani | Mirzakhani | f | mathematician | Tehran | 1977 | the magic wand theorem
            Alan Turing | Turing | m | mathematician | Maida Vale | 1912 | the Turing machine
            Grace Hopper | Hopper | f | computer scientist | New York | 1906 | the A-0 compiler
            Linus Torvalds | Torvalds | m | programmer | Helsinki | 1969 | Linux
            Tu Youyou | Tu | f | chemist | Ningbo | 1930 | the discovery of artemisinin
            Katalin Karikó | Karikó | f | biochemist | Szolnok | 1955 | mRNA vaccines
            Lionel Messi | Messi | m | footballer | Rosario | 1987 | the 2022 World Cup
            Marta Vieira da Silva | Marta | f | footballer | Dois Riachos | 1986 | the Copa América
            Mohamed Salah | Salah | m | footballer | Nagrig | 1992 | the Champions League
            Simone Biles | Biles | f | gymnast | Columbus | 1997 | the Biles II
            Eliud Kipchoge | Kipchoge | m | runner | Kapsisiywa | 1984 | the Berlin Marathon
            Viswanathan Anand | Anand | m | chess player | Mayiladuthurai | 1969 | the World Chess Championship
            Judit Polgár | Polgár | f | chess player | Budapest | 1976 | the Women's Chess Olympiad
            Frida Kahlo | Kahlo | f | painter | Coyoacán | 1907 | The Two Fridas
            Søren Kierkegaard | Kierkegaard | m | philosopher | Copenhagen | 1813 | Either/Or
            Simone de Beauvoir | de Beauvoir | f | philosopher | Paris | 1908 | The Second Sex
            Nelson Mandela | Mandela | m | politician | Mvezo | 1918 | Long Walk to Freedom
            Jacinda Ardern | Ardern | f | politician | Hamilton | 1980 | the Christchurch Call
            Zaha Hadid | Hadid | f | architect | Baghdad | 1950 | the Heydar Aliyev Center
            Wangari Maathai | Maathai | f | activist | Nyeri | 1940 | the Green Belt Movement
            """,
        )
    ),
    "contact": _with_pronouns(
        table(
            "name | sex",
            """
            Anna | f
            Tom | m
            Priya | f
            Mehmet | m
            Zoë | f
            José | m
            Mei Lin | f
            Dr. Novak | f
            Mr. O'Brien | m
            Ms. Dubois | f
            Uncle Raj | m
            Grandma Rose | f
            Kwame | m
            Søren from accounting | m
            Carla | f
            Leo | m
            """,
        )
    ),
    "band": _with_possessive(
        table(
            "name | place | year | album | song",
            """
        Coldplay | London | 1997 | Parachutes | Yellow
        Radiohead | Abingdon | 1985 | OK Computer | Karma Police
        Daft Punk | Paris | 1993 | Random Access Memories | Get Lucky
        Sigur Rós | Reykjavík | 1994 | Takk | Hoppípolla
        BTS | Seoul | 2010 | Map of the Soul: 7 | Dynamite
        The Cranberries | Limerick | 1989 | No Need to Argue | Zombie
        Tinariwen | Tessalit | 1979 | Imidiwan | Sastanàqqàm
        Blackpink | Seoul | 2016 | Born Pink | Pink Venom
        Fleetwood Mac | London | 1967 | Rumours | Dreams
        Arctic Monkeys | Sheffield | 2002 | AM | Do I Wanna Know?
        Café Tacvba | Mexico City | 1989 | Re | Ingrata
        Rammstein | Berlin | 1994 | Mutter | Sonne
        """,
        )
    ),
    "film": table(
        "name | year | lead | maker | place",
        """
        Parasite | 2019 | Song Kang-ho | Bong Joon-ho | Seoul
        Amélie | 2001 | Audrey Tautou | Jean-Pierre Jeunet | Paris
        Inception | 2010 | Leonardo DiCaprio | Christopher Nolan | Calgary
        Past Lives | 2023 | Greta Lee | Celine Song | New York
        City of God | 2002 | Alexandre Rodrigues | Fernando Meirelles | Rio de Janeiro
        Roma | 2018 | Yalitza Aparicio | Alfonso Cuarón | Mexico City
        Dune: Part Two | 2024 | Timothée Chalamet | Denis Villeneuve | Abu Dhabi
        Lost in Translation | 2003 | Bill Murray | Sofia Coppola | Tokyo
        The Matrix | 1999 | Keanu Reeves | Lana Wachowski | Sydney
        Barbie | 2023 | Margot Robbie | Greta Gerwig | London
        """,
    ),
    "series": names(
        "Breaking Bad; Squid Game; Dark; The Crown; Money Heist; Severance; Borgen; The Bear; Stranger Things"
    ),
    "song": table(
        "name | singer",
        """
        Bohemian Rhapsody | Queen
        Blinding Lights | The Weeknd
        Déjà Vu | Olivia Rodrigo
        Shape of You | Ed Sheeran
        Despacito | Luis Fonsi
        Rolling in the Deep | Adele
        Águas de Março | Elis Regina
        Running Up That Hill | Kate Bush
        Water | Tyla
        Take On Me | a-ha
        Hallelujah | Leonard Cohen
        """,
    ),
    "book": table(
        "name | writer | year",
        """
        Dune | Frank Herbert | 1965
        Sapiens | Yuval Noah Harari | 2011
        The Left Hand of Darkness | Ursula K. Le Guin | 1969
        Things Fall Apart | Chinua Achebe | 1958
        My Brilliant Friend | Elena Ferrante | 2011
        The Three-Body Problem | Liu Cixin | 2008
        Les Misérables | Victor Hugo | 1862
        Thinking, Fast and Slow | Daniel Kahneman | 2011
        """,
    ),
    "city": table(
        "name | country | sight | food",
        """
        Paris | France | the Louvre | croissants
        Berlin | Germany | the Reichstag | currywurst
        Oslo | Norway | the Vigeland Park | brown cheese
        Tokyo | Japan | the Senso-ji temple | ramen
        São Paulo | Brazil | the Pinacoteca | coxinhas
        Zürich | Switzerland | the Grossmünster | raclette
        Nairobi | Kenya | the Giraffe Centre | nyama choma
        Lisbon | Portugal | the Belém Tower | pastéis de nata
        Kraków | Poland | the Wawel Castle | pierogi
        Toronto | Canada | the CN Tower | peameal bacon
        Hanoi | Vietnam | the Old Quarter | pho
        Istanbul | Turkey | the Hagia Sophia | simit
        Cape Town | South Africa | Table Mountain | bunny chow
        Mexico City | Mexico | the Frida Kahlo Museum | tacos al pastor
        Austin | Texas | the Zilker Park | brisket
        Singapore | Asia | the Gardens by the Bay | chilli crab
        Reykjavík | Iceland | the Hallgrímskirkja | skyr
        """,
    ),
    "country": table(
        "name | capital | money",
        """
        Japan | Tokyo | the yen
        Norway | Oslo | the krone
        Brazil | Brasília | the real
        Kenya | Nairobi | the shilling
        Canada | Ottawa | the Canadian dollar
        Vietnam | Hanoi | the dong
        Poland | Warsaw | the złoty
        Turkey | Ankara | the lira
        India | New Delhi | the rupee
        South Korea | Seoul | the won
        Switzerland | Bern | the franc
        New Zealand | Wellington | the New Zealand dollar
        """,
    ),
    "landmark": table(
        "name | place | height",
        """
        Eiffel Tower | Paris | 330 metres
        Burj Khalifa | Dubai | 828 metres
        Empire State Building | New York | 443 metres
        Tokyo Skytree | Tokyo | 634 metres
        Shard | London | 310 metres
        Space Needle | Seattle | 184 metres
        CN Tower | Toronto | 553 metres
        Sagrada Família | Barcelona | 172 metres
        """,
    ),
    "gadget": table(
        "name | maker | price | feature",
        """
        Sony WH-1000XM5 | Sony | $399 | noise cancelling
        iPhone 15 Pro | Apple | $999 | a titanium frame
        Galaxy S24 | Samsung | $799 | a 120 Hz display
        Kindle Paperwhite | Amazon | $149 | an adjustable light
        Nintendo Switch 2 | Nintendo | $449 | magnetic controllers
        Dyson V15 | Dyson | $749 | a laser
        GoPro Hero 12 | GoPro | $399 | image stabilisation
        ThinkPad X1 Carbon | Lenovo | $1,450 | a fingerprint reader
        Garmin Fenix 7 | Garmin | $650 | offline maps
        Steam Deck | Valve | $399 | a trackpad
        Framework Laptop 13 | Framework | $1,049 | swappable ports
        Pixel 8a | Google | $499 | a bright screen
        """,
    ),
    "item": _with_article(
        names(
            "coffee grinder; electric kettle; winter jacket; desk lamp; mountain bike; phone case; yoga mat; "
            "rice cooker; office chair; backpack; wool sweater; Bluetooth speaker; air fryer; garden hose; umbrella; "
            "baby stroller; standing desk; 27-inch monitor; USB-C cable; espresso machine; "
            "vacuum cleaner; sleeping bag; wok; rug"
        )
    ),
    "plural": names(
        "running shoes; wireless earbuds; hiking boots; ski goggles; blue curtains; AA batteries; contact lenses; "
        "noise-cancelling headphones; leather gloves; solar panels; reading glasses; kitchen knives; snow tyres"
    ),
    "device": names(
        "living room light; bedroom lamp; thermostat; air conditioner; kitchen fan; robot vacuum; front door camera; "
        "ceiling fan; coffee machine; TV; dishwasher; heater; porch light; humidifier; sprinkler; lava lamp"
    ),
    "company": table(
        "name | boss | place | product | year",
        """
        Nvidia | Jensen Huang | Santa Clara | graphics cards | 1993
        Spotify | Daniel Ek | Stockholm | music streaming | 2006
        IKEA | Jesper Brodin | Delft | flat-pack furniture | 1943
        Toyota | Koji Sato | Toyota City | cars | 1937
        Nestlé | Laurent Freixe | Vevey | instant coffee | 1866
        Adyen | Pieter van der Does | Amsterdam | payment software | 2006
        Shopify | Tobias Lütke | Ottawa | online shops | 2006
        Safaricom | Peter Ndegwa | Nairobi | mobile money | 1997
        BYD | Wang Chuanfu | Shenzhen | electric cars | 1995
        Novo Nordisk | Lars Fruergaard Jørgensen | Bagsværd | insulin | 1923
        ASML | Christophe Fouquet | Veldhoven | lithography machines | 1984
        """,
    ),
    "app": names(
        "Spotify; WhatsApp; Slack; Zoom; Google Maps; Notion; Duolingo; Signal; Instagram; Microsoft Teams; Dropbox; "
        "Uber; the banking app; the parking app; Outlook; Netflix; Revolut; Discord"
    ),
    "plan": names(
        "Premium plan; Family plan; Student plan; Basic plan; Pro plan; Team plan; Business tier; free trial"
    ),
    "library": table(
        "name | topic | rival | call",
        """
        pandas | data frames | polars | df.groupby()
        NumPy | arrays | JAX | np.einsum()
        React | user interfaces | Svelte | useEffect
        requests | HTTP calls | httpx | requests.get()
        FastAPI | web services | Flask | Depends()
        pytest | testing | unittest | pytest.fixture
        asyncio | concurrency | trio | asyncio.gather()
        Django | web sites | Rails | select_related()
        PyTorch | neural networks | TensorFlow | torch.no_grad()
        SQLAlchemy | databases | Peewee | sessionmaker
        tokio | async Rust | async-std | tokio::spawn
        lodash | arrays and objects | Ramda | _.debounce
        """,
    ),
    "error": names(
        "KeyError: 'user_id'; ModuleNotFoundError; CUDA out of memory; ECONNREFUSED; NullPointerException; "
        "error code 0x80070057; segmentation fault; IndexError; HTTP 502; CORS error; SSL_ERROR_RX_RECORD_TOO_LONG; "
        "TypeError: undefined is not a function; error E24; merge conflict; kernel panic"
    ),
    "file": names(
        "quarterly report; budget.xlsx; notes_2024.md; main.py; invoice-0417.pdf; CV; sales deck; "
        "contract draft; README.md; shopping list; travel plan"
    ),
    "medicine": table(
        "name | use | effect | maker",
        """
        ibuprofen | pain and fever | stomach upset | Advil
        metformin | type 2 diabetes | nausea | Glucophage
        amoxicillin | bacterial infections | a rash | Amoxil
        cetirizine | allergies | drowsiness | Zyrtec
        omeprazole | acid reflux | headaches | Losec
        sertraline | depression | dry mouth | Zoloft
        atorvastatin | high cholesterol | muscle pain | Lipitor
        paracetamol | mild pain | liver damage at high doses | Tylenol
        melatonin | jet lag | vivid dreams | Circadin
        """,
    ),
    "illness": table(
        "name | sign | cause",
        """
        asthma | wheezing | pollen
        migraine | throbbing pain | stress
        shingles | a painful rash | the chickenpox virus
        anaemia | tiredness | a lack of iron
        gout | swollen joints | uric acid
        eczema | itchy skin | dry air
        Lyme disease | a ring-shaped rash | tick bites
        hay fever | sneezing | grass pollen
        high blood pressure | dizziness | too much salt
        """,
    ),
    "finance": table(
        "name | gloss | rival",
        """
        an index fund | a fund that follows a market index | an actively managed fund
        a Roth IRA | a retirement account funded with taxed income | a 401(k)
        a fixed-rate mortgage | a home loan whose rate never changes | a variable-rate mortgage
        a term deposit | money locked at a bank for a set time | a savings account
        a government bond | a loan to a state | a corporate bond
        compound interest | interest on earlier interest | simple interest
        a stop-loss order | an order to sell below a set price | a limit order
        dollar-cost averaging | buying for a fixed sum at set times | a lump-sum investment
        """,
    ),
    "food": table(
        "name | part | kcal",
        """
        lasagne | béchamel sauce | 350
        pad thai | tamarind paste | 400
        ratatouille | aubergine | 180
        chicken tikka masala | garam masala | 430
        jollof rice | scotch bonnet pepper | 310
        tiramisù | mascarpone | 450
        shakshuka | eggs | 240
        banana bread | ripe bananas | 280
        kimchi stew | fermented cabbage | 260
        mushroom risotto | arborio rice | 370
        crème brûlée | vanilla | 340
        """,
    ),
    "restaurant": names(
        "Café Luna; Trattoria Da Enzo; Blue Lotus; The Green Fork; Chez Amélie; Sakura House; El Rincón; Spice Route; "
        "Zum Goldenen Hirsch; Mama Nkechi's; The Rusty Anchor; Tandoor Palace"
    ),
    "hotel": names(
        "Hotel Aurora; The Grand Meridian; Casa Azul; Hôtel du Lac; Park Inn; Riad Yasmine; The Old Mill; City Lodge; "
        "Sunrise Hostel; Villa Bergblick; Ocean View Resort"
    ),
    "flight": names("LH 456; BA 117; UA 88; TK 1822; SK 907; QF 12; EK 203; AF 1680; flight 4471; NH 211"),
    "meeting": names(
        "the budget meeting; the design review; the dentist appointment; the team lunch; the call with Anna; "
        "yoga class; the parents' evening; the job interview; the quarterly review; the sprint planning"
    ),
    "team": _with_possessive(
        table(
            "name | sport | rival | star",
            """
        Arsenal | football | Chelsea | Bukayo Saka
        FC Barcelona | football | Real Madrid | Lamine Yamal
        the Golden State Warriors | basketball | the Lakers | Steph Curry
        the Mumbai Indians | cricket | the Chennai Super Kings | Rohit Sharma
        the All Blacks | rugby | the Springboks | Ardie Savea
        the Montreal Canadiens | hockey | the Bruins | Nick Suzuki
        Bayern Munich | football | Borussia Dortmund | Harry Kane
        """,
        )
    ),
    "event": table(
        "name | year | place",
        """
        the French Revolution | 1789 | France
        the Great Fire of London | 1666 | London
        the moon landing | 1969 | the United States
        the fall of the Berlin Wall | 1989 | Berlin
        the Haitian Revolution | 1791 | Haiti
        the Meiji Restoration | 1868 | Japan
        the Eyjafjallajökull eruption | 2010 | Iceland
        the Suez Crisis | 1956 | Egypt
        """,
    ),
    "game": table(
        "name | maker | platform",
        """
        Elden Ring | FromSoftware | the PS5
        Stardew Valley | ConcernedApe | the Switch
        Baldur's Gate 3 | Larian Studios | PC
        Minecraft | Mojang | the Xbox
        Hades II | Supergiant Games | Steam
        Disco Elysium | ZA/UM | the Mac
        Pokémon Scarlet | Game Freak | the Switch
        """,
    ),
    "car": table(
        "name | range | price",
        """
        Tesla Model 3 | 513 km | 39,000 euros
        VW ID.4 | 522 km | 41,000 euros
        Renault Zoé | 395 km | 36,000 euros
        Kia EV6 | 528 km | 45,000 euros
        Nissan Leaf | 385 km | 35,000 euros
        BYD Dolphin | 427 km | 33,000 euros
        Hyundai Ioniq 5 | 507 km | 44,000 euros
        """,
    ),
    "animal": _with_article(
        table(
            "name | life | food",
            """
        red panda | 12 years | bamboo
        barn owl | 5 years | mice
        axolotl | 15 years | worms
        snow leopard | 18 years | blue sheep
        hedgehog | 4 years | beetles
        sea otter | 20 years | sea urchins
        emperor penguin | 20 years | krill
        honey badger | 24 years | snakes
        """,
        )
    ),
    "word": names("thank you; good night; cheers; butterfly; see you tomorrow; happy birthday; lighthouse; I'm hungry"),
    "tongue": names("Spanish; French; German; Japanese; Swahili; Turkish; Polish; Arabic; Portuguese; Mandarin; Welsh"),
    "currency": names("euros; pounds; yen; Swiss francs; rupees; Canadian dollars; złoty; kroner; pesos"),
    "amount": names("250 dollars; 1,500 dollars; 80 dollars; 12.50 dollars; 999 dollars; 40,000 dollars; 75 dollars"),
    "day": names("Friday; Saturday; Monday; Sunday evening; the 14th; March 3rd; Thursday; May 21; New Year's Eve"),
    "when": names("tomorrow; on Friday; next Monday; this weekend; next week; on the 14th; on March 3rd; on Sunday"),
    "degree": names("-4; 3; 8; 12; 17; 21; 26; 33"),
    "hour": names("2; 3; 4; 5; 7; 9"),
    "first": names("Sam; Ines; Yuki; Ömer; Chloé; Kofi; Nadia; Li Wei; Max"),
    "time": names("7 am; 8:30; noon; 6 pm; 9:15; half past three; 10 o'clock; 16:45; 5:20 pm"),
    "number": names("2; 3; 4; 5; 6; 8; 12; 15; 20; 30; 45"),
    "party": names("a table for two; a table for four; a table for six; a window table; a table for eight"),
    "price": names("$89; $120; €75; £64; $210; €145; $39; CHF 180; $1,200"),
    "order": names("#48213; A-1093; 7720-551; ORD-55102; #90017; 3318842"),
    "street": names("14 Elm Street; 7 Rue Cler; Hauptstraße 22; 301 King Road; Via Roma 5; 88 Harbour Lane"),
    "room": names("the kitchen; the bedroom; the bathroom; the office; the hallway; the garage"),
    "year": names("1989; 1996; 2003; 2008; 2012; 2015; 2018; 2020; 2022; 2024"),
    "treat": names("freeze; reheat; microwave; steam; fry; grill; eat; store; toast; blend"),
    "town_trait": names(
        "safe at night; crowded; expensive; sunny; easy to get around; good for a weekend trip; boring"
    ),
    "measure": names("tall; old; heavy; wide; expensive; famous; big"),
    "animal_trait": names("dangerous; endangered; legal to keep; active at night; easy to spot; good at climbing"),
    "skill": names(
        "go climbing; ski; play chess; learn to surf; ride a horse; go fishing; paint; dance; play tennis; "
        "go kayaking; ice skate; sing karaoke; camp; dive; go running; knit"
    ),
    "sport": names("hockey; cricket; rugby; handball; volleyball; baseball; water polo; lacrosse; curling; netball"),
    "museum": names(
        "the Louvre; the Prado; the Rijksmuseum; the Tate Modern; the Uffizi; the science museum; the city library; "
        "the aquarium; the botanical garden; the swimming pool; the zoo; the town hall; the post office; the ice rink"
    ),
    "shop": names(
        "Lidl; Carrefour; the bakery; the pharmacy; Target; Tesco; the hardware store; Decathlon; the bike shop; "
        "the flower shop; Best Buy; the bookshop; Migros; the farmers' market"
    ),
    "dish": names(
        "tofu; couscous; white rice; cheddar; oat milk; an avocado; salmon; a bagel; dark chocolate; hummus; "
        "greek yogurt; popcorn; peanut butter; a banana; quinoa; tempeh; soy sauce; cottage cheese"
    ),
    "nutrient": names("protein; fat; sugar; iron; vitamin C; salt; fibre; calcium; zinc; potassium"),
    "diet": names("vegan; gluten free; halal; kosher; dairy free; low carb; safe for toddlers; good for your heart"),
    "planet": names("Mars; Venus; Jupiter; Saturn; Mercury; Neptune; Uranus; Pluto; the moon; Titan; Europa; Ceres"),
    "metal": names("gold; silver; copper; lead; iron; aluminium; tin; titanium; nickel; zinc; platinum; tungsten"),
    "nation": names(
        "Peru; Chile; Finland; Ghana; Italy; Greece; Thailand; Croatia; Morocco; Denmark; Portugal; Egypt; Sweden; "
        "Bolivia; Ireland; Nepal; Spain; Jordan; Cuba; Estonia; Argentina; Belgium; Hungary; Iran; Malaysia"
    ),
    "town": names(
        "Porto; Ghent; Bergen; Leeds; Valencia; Graz; Denver; Osaka; Cusco; Dublin; Seville; Boston; Perth; Naples; "
        "Tallinn; Marrakech; Seattle; Basel; Glasgow; Antwerp; Kyoto; Chicago; Vienna; Prague; Lyon; Quito; Mumbai"
    ),
    "island": names("Madeira; Crete; Bali; Gotland; Corsica; Maui; Zanzibar; Capri; Ibiza; Tenerife; Skye; Jeju"),
    "past_year": names(
        "1929; 1937; 1945; 1951; 1958; 1967; 1974; 1982; 1990; 1994; 1999; 2001; 2005; 2011; 2017; 2019"
    ),
    "decade": names("the 1950s; the 60s; the 70s; the 80s; the 90s; the Middle Ages; the 19th century; the 2000s"),
    "month": names("January; February; March; April; May; June; July; August; September; October; November; December"),
    "weekday": names("Monday; Tuesday; Wednesday; Thursday; Friday; Saturday; Sunday"),
    "clock": names("6 am; 7:30; 8 o'clock; 9:45 am; noon; 1 pm; 3:15 pm; 5 pm; 6:30 pm; 8 pm; midnight; 22:00"),
    "minutes": names("3 minutes; 5 minutes; 10 minutes; 12 minutes; 20 minutes; 45 minutes; an hour; two hours"),
    "length": names("3 miles; 12 inches; 6 feet; 250 yards; 0.5 miles; 40 inches; 100 miles; 26.2 miles; 7 feet"),
    "length_unit": names("kilometres; metres; centimetres; millimetres; light years; nautical miles"),
    "weight": names("10 pounds; 5 ounces; 180 pounds; 2 stone; 1.5 pounds; 300 ounces; 45 pounds; 7 ounces"),
    "weight_unit": names("kilos; grams; milligrams; tonnes; kg; carats"),
    "heat": names("350 degrees; 32 degrees; 98.6 degrees; 451 degrees; 212 degrees; -40 degrees; 70 degrees"),
    "sum": names("7; 19; 144; 256; 81; 1,024; 37; 625; 12; 99; 2,500; 48; 3.5; 17"),
    "percent": names("5 %; 8 %; 12.5 %; 15 %; 18 %; 20 %; 30 %; 75 %; 2 %"),
    "cash": names("$40; $65; 80 euros; $120; 250 euros; $999; £35; 1,200 euros; $18.50; $3,000; 15 pounds"),
    "coin": names("yen; rupees; pesos; Swiss francs; kronor; lira; won; baht; rand; shekels; forints; dirhams; zlotys"),
    "people": names("two people; four people; six people; ten people; a family of five; one person; a dozen guests"),
    "crowd": names("kids; students; seniors; beginners; tall people; families; groups; cyclists; left-handers"),
    "sporty": names(
        "Liverpool; Ajax; Real Madrid; Juventus; Celtic; Inter Milan; the Celtics; the Yankees; PSG; Benfica; "
        "Boca Juniors; "
        "the Packers; Leicester; Dortmund; the Bulls; Porto"
    ),
    "cup": names(
        "the Champions League; the FA Cup; the World Cup; the Euros; the league; the Super Bowl; the Copa America; "
        "the Six Nations; the Davis Cup; the Europa League"
    ),
    "player": _with_pronouns(
        table(
            "name | sex | short",
            """
            Erling Haaland | m | Haaland
            Aitana Bonmatí | f | Bonmatí
            Rafael Nadal | m | Nadal
            Iga Swiatek | f | Swiatek
            LeBron James | m | James
            Caitlin Clark | f | Clark
            Usain Bolt | m | Bolt
            Allyson Felix | f | Felix
            Lewis Hamilton | m | Hamilton
            Mikaela Shiffrin | f | Shiffrin
            Kylian Mbappé | m | Mbappé
            Katie Ledecky | f | Ledecky
            Michael Phelps | m | Phelps
            Sam Kerr | f | Kerr
            Tiger Woods | m | Woods
            Steffi Graf | f | Graf
            """,
        )
    ),
    "feat": names("medals; titles; gold medals; trophies; world records; finals; red cards; injuries"),
    "code": names(
        "HashMap; a Python list; std::vector; asyncio.Queue; ArrayList; a Go map; sqlite3; Redis; a deque; "
        "random.random(); "
        "printf(); a shared_ptr; SimpleDateFormat; queue.Queue; logging; a pandas DataFrame; ConcurrentHashMap"
    ),
    "code_trait": names("faster than a dict; deprecated; safe to pickle; good for large files; immutable"),
    "func": names(
        "map(); filter(); zip(); os.walk(); json.loads(); Array.slice; Array.splice; str.split(); re.match(); "
        "useMemo; Object.keys(); itertools.chain(); sorted(); fetch(); df.merge(); np.where(); list.pop(); Promise.all"
    ),
    "tech": names(
        "Python; Rust; Go; Java; Kotlin; TypeScript; C++; Ruby; Swift; Julia; Haskell; PHP; Scala; Lua; C#; Elixir"
    ),
    "system": names("Windows 11; macOS; Ubuntu; Debian; Fedora; Android; iOS; Windows 10; a Raspberry Pi; Arch Linux"),
    "tool": names(
        "Figma; Blender; Docker; Canva; Postman; VS Code; GIMP; Obsidian; Audacity; Trello; OBS Studio; Inkscape; "
        "Jira; "
        "DaVinci Resolve; LibreOffice; Photopea; Krita; Airtable; Zotero; Kdenlive"
    ),
    "tool_trait": names("cheap to run; open source; easy to learn; available offline; good for beginners; worth it"),
    "fault": names(
        "error 404; error E18; a 503 error; StackOverflowError; error 0x1F; ENOENT; a syntax error; a blue screen; "
        "error code 43; ValueError; SIGSEGV; a timeout; error F07; PermissionError; a broken pipe; exit code 137"
    ),
    "machine": names(
        "washing machine; printer; router; dishwasher; laptop; tablet; thermostat; coffee maker; TV; dryer; scanner; "
        "e-bike; lawn mower; smart speaker; doorbell; soundbar; boiler; freezer; projector; vacuum robot; modem"
    ),
    "symptom": table(
        "name | say",
        """
        won't start | won't start
        keeps beeping | is beeping
        is blinking red | is blinking
        makes a weird noise | makes that noise
        won't connect to the wifi | won't connect
        keeps restarting | restarts all the time
        is leaking | is leaking
        won't charge | won't charge
        freezes every morning | freezes
        overheats | gets too hot
        shows a black screen | shows nothing
        """,
    ),
    "remedy": table(
        "name | noun",
        """
        unplug the power cord for a minute | the power cord
        press the reset button for ten seconds | the reset button
        clean the filter | the filter
        install the latest update | the latest update
        replace the battery | the battery
        check the fuse | the fuse
        try a different cable | a different cable
        update the firmware | the firmware
        empty the tray | the tray
        use the original charger | the original charger
        tighten the back panel | the back panel
        """,
    ),
    "mine": names(
        "my tickets; my photos; my playlists; my saved cards; my old messages; my receipts; my contacts; my points; "
        "my vouchers; my tickets; my bookmarks; my backups; my subscriptions; my documents; my orders"
    ),
    "mine_one": names(
        "my parcel; my refund; my password; my passport; my subscription; my luggage; my sim card; my membership card; "
        "my boarding pass; my warranty; my prescription; my gift card; my deposit; my payslip; my username; my booking"
    ),
    "goods": names(
        "the red sneakers; the linen shirt; the oak table; the trail tent; the cast iron pan; the ski jacket; "
        "the blue sofa; the steel bottle; the kids' helmet; the reading lamp; the bunk bed; the rain boots; the mirror"
    ),
    "size": names("size 42; size M; size XL; black; green; walnut; a smaller size; navy blue; size 8; dark grey"),
    "thing": names(
        "a power bank; an umbrella; a pocket knife; nail scissors; a laptop; baby food; a drone; my skateboard; "
        "sunscreen; "
        "a guitar; homemade jam; perfume; a camping stove; knitting needles; a bottle of wine; a walking stick"
    ),
    "ride": names("train; bus; ferry; car; taxi; bike; tram; night train; plane; metro"),
    "plant": names(
        "an orchid; a cactus; basil; a monstera; tomatoes; a bonsai; lavender; an aloe vera; a fern; mint; "
        "a lemon tree; "
        "strawberries; roses; a peace lily; chillies; an olive tree"
    ),
    "pet": names("cats; dogs; hamsters; rabbits; parrots; goldfish; guinea pigs; ferrets; budgies; tortoises"),
    "beast": names(
        "elephants; dolphins; wolves; owls; bats; bees; octopuses; crocodiles; gorillas; cheetahs; swans; moose; "
        "pandas; "
        "tigers; camels; salmon; sharks; ravens"
    ),
    "act": names(
        "swim; climb trees; hunt at night; live in groups; sleep standing up; recognise themselves in a mirror; "
        "migrate in winter; see in colour; mate for life; use tools"
    ),
    "singer": _with_pronouns(
        table(
            "name | sex | hit",
            """
            Taylor Swift | f | Anti-Hero
            Stromae | m | Papaoutai
            Dua Lipa | f | Levitating
            Harry Styles | m | As It Was
            Rihanna | f | Umbrella
            Prince | m | Purple Rain
            Shakira | f | Waka Waka
            Drake | m | Hotline Bling
            Amy Winehouse | f | Back to Black
            David Bowie | m | Heroes
            Billie Eilish | f | Bad Guy
            Johnny Cash | m | Hurt
            Nina Simone | f | Feeling Good
            Bruno Mars | m | Grenade
            """,
        )
    ),
    "movie": table(
        "name | actor | other",
        """
        Titanic | Kate Winslet | Billy Zane
        Alien | Sigourney Weaver | Ian Holm
        Heat | Al Pacino | Val Kilmer
        Jaws | Roy Scheider | Robert Shaw
        Arrival | Amy Adams | Jeremy Renner
        Gladiator | Russell Crowe | Connie Nielsen
        Notting Hill | Julia Roberts | Hugh Grant
        Fargo | Frances McDormand | Steve Buscemi
        Se7en | Brad Pitt | Morgan Freeman
        Whiplash | Miles Teller | J. K. Simmons
        Casablanca | Ingrid Bergman | Humphrey Bogart
        Skyfall | Daniel Craig | Judi Dench
        """,
    ),
    "service": names("Netflix; Disney+; Prime Video; Hulu; Apple TV; HBO Max; MUBI; Paramount+; YouTube; Sky"),
    "bank": names("Monzo; Wise; ING; Chase; Barclays; HSBC; Santander; UBS; Starling; Citibank; Rabobank; Capital One"),
    "deed": _with_pronouns(
        table(
            "name | sex | right | wrong | thing",
            """
            invent the telephone | m | Alexander Graham Bell | Thomas Edison | the telephone
            paint Guernica | m | Pablo Picasso | Salvador Dalí | Guernica
            write Frankenstein | f | Mary Shelley | Jane Austen | Frankenstein
            discover penicillin | m | Alexander Fleming | Louis Pasteur | penicillin
            direct Jaws | m | Steven Spielberg | George Lucas | Jaws
            write Emma | f | Jane Austen | Charlotte Brontë | Emma
            compose The Magic Flute | m | Wolfgang Amadeus Mozart | Joseph Haydn | The Magic Flute
            invent dynamite | m | Alfred Nobel | Nikola Tesla | dynamite
            write Wuthering Heights | f | Emily Brontë | Virginia Woolf | Wuthering Heights
            paint The Scream | m | Edvard Munch | Vincent van Gogh | The Scream
            sing Respect first | m | Otis Redding | James Brown | Respect
            create Hercule Poirot | f | Agatha Christie | Dorothy Sayers | Hercule Poirot
            found Amazon | m | Jeff Bezos | Bill Gates | Amazon
            direct Lost in Translation | f | Sofia Coppola | Jane Campion | Lost in Translation
            write the Mumin books | f | Tove Jansson | Astrid Lindgren | the Mumin books
            design the Sydney Opera House | m | Jørn Utzon | Frank Gehry | the Sydney Opera House
            """,
        )
    ),
    "spot": table(
        "name | at",
        """
        the airport | at the airport
        the old town | in the old town
        the train station | at the train station
        the island | on the island
        the beach | on the beach
        the campsite | at the campsite
        the castle | in the castle
        the stadium | in the stadium
        the harbour | in the harbour
        the market | at the market
        the lake | at the lake
        the ski resort | in the ski resort
        the harbour hotel | at the harbour hotel
        the office | in the office
        """,
    ),
    "occasion": table(
        "name | on",
        """
        the wedding | on Saturday
        the concert | on Friday
        the final | on Sunday
        the exam | on Thursday
        the trip | in June
        the conference | in October
        the race | on May 4
        the party | on Friday
        the opening | in March
        the election | in November
        the launch | on Tuesday
        """,
    ),
    "problem": table(
        "name | trick",
        """
        remove red wine stains | white wine
        get rid of fruit flies | a vinegar trap
        learn the guitar | an online course
        save a corrupted file | a recovery tool
        cool down a room | a fan
        stop hiccups | cold water
        open a PDF on my phone | Acrobat Reader
        clean a burnt pan | baking soda
        peel garlic quickly | a glass jar
        sharpen a knife | a whetstone
        fall asleep faster | warm milk
        unclog a sink | a plunger
        record my screen | OBS Studio
        find a flat in town | a local agent
        lower my heating bill | a smart thermostat
        fix a flat tyre | a patch kit
        remember names | a rhyme
        whiten old sneakers | toothpaste
        descale a kettle | lemon juice
        split a string in Bash | cut
        merge two branches | git rebase
        undo the last commit | git reset
        """,
    ),
    "transit": table(
        "name | many",
        """
        train | trains
        bus | buses
        ferry | ferries
        flight | flights
        night train | night trains
        coach | coaches
        shuttle | shuttles
        """,
    ),
    "mate": _with_pronouns(
        table(
            "name | sex",
            """
            Julia | f
            Ben | m
            Aisha | f
            Marco | m
            Olga | f
            Hassan | m
            my sister | f
            my brother | m
            my boss | m
            my aunt | f
            my landlord | m
            my teacher | f
            Mrs. Lopez | f
            Mr. Tanaka | m
            """,
        )
    ),
    "single_parcel": names(
        "the contract; the birthday cake; the invitation; the draft; the postcard; the recipe; the playlist; "
        "the poster; "
        "the floor plan; the certificate; the spare key; the voucher"
    ),
}
