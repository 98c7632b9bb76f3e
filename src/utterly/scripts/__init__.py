"""The edit language, and how it is shown."""
