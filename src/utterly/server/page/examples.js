// Example dialogues. We wrote them; they are from no corpus.

const PLANS = `We have three plans:

| Plan | Price a month | Seats |
|---|---|---|
| Starter | $9 | 3 |
| Business | $29 | 20 |
| Enterprise | on request | any |

**Business** is the one most teams choose.`;

const POSTGRES = `**PostgreSQL** is an open-source relational database:

- it speaks SQL,
- it runs on Linux, macOS and Windows.

\`\`\`sh
sudo apt install postgresql
\`\`\``;

export const EXAMPLES = [
  { name: "Federer’s injuries", turns: ["Why did Federer withdraw from the tournament?", "He injured his back in yesterday's match.", "Did he have any other injuries?"] },
  { name: "A lamp to return", turns: ["I ordered the brass desk lamp last week.", "It was delivered to you on Monday.", "How do I return it?"] },
  { name: "The weather there", turns: ["I am flying to Lisbon on Friday.", "Have a good trip!", "What is the weather like there?"] },
  { name: "An answer in Markdown", turns: ["What is PostgreSQL?", POSTGRES, "Who maintains it?"] },
  { name: "A question that stands alone", turns: ["Which plans do you have?", PLANS, "Does the Business plan include SSO?"] },
  { name: "周杰伦的歌", turns: ["你喜欢周杰伦吗", "喜欢，他的歌我都听", "他最近出新歌了吗"] },
  { name: "上海的天气", turns: ["北京明天会下雨吗", "会，有小雨", "那上海呢"] },
];
