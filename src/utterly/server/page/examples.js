// Dialogues to begin with. They are ours, not a corpus's.

export const EXAMPLES = [
  { name: "Federer’s injuries", turns: ["Why did Federer withdraw from the tournament?", "He injured his back in yesterday's match.", "Did he have any other injuries?"] },
  { name: "A lamp to return", turns: ["I ordered the brass desk lamp last week.", "It was delivered to you on Monday.", "How do I return it?"] },
  { name: "The weather there", turns: ["When does the train to Lisbon leave?", "At 9:40 from platform 3.", "What is the weather like there?"] },
  { name: "A question that stands alone", turns: ["Who painted the ceiling of the Sistine Chapel?", "Michelangelo did.", "What is the capital of Portugal?"] },
  { name: "周杰伦的歌", turns: ["你喜欢周杰伦吗", "喜欢，他的歌我都听", "他最近出新歌了吗"] },
  { name: "北京的天气", turns: ["北京明天下雨吗", "明天北京有小雨", "后天呢"] },
];
