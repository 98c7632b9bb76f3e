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
}
