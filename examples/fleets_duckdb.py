"""DuckDB: rewrites in SQL. Needs `pip install 'utterly[duckdb]'`."""

import duckdb

from utterly.fleets.duckdb import register

DIALOGUES = """
    CREATE TABLE dialogues AS SELECT ['Who wrote Dune?', 'Frank Herbert.'] AS history, turn AS utterance
    FROM (VALUES ('When was it published?'), ('thanks!')) turns(turn)
"""


def main() -> None:
    connection = duckdb.connect()
    connection.execute(DIALOGUES)
    register(connection)
    query = "SELECT *, unnest(utterly_rewrite(history, utterance)) FROM dialogues"  # or FROM 'logs/*.parquet'
    for _, utterance, rewrite, *_ in connection.execute(query).fetchall():
        print(f"{utterance} -> {rewrite}")


if __name__ == "__main__":
    main()
