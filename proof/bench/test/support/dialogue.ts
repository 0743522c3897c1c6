/** A dialogue in LoCoMo's layout, written for these tests, with the data's oddities. */
export const dialogue = () => ({
  speaker_a: "Ada",
  speaker_b: "Ben",
  session_10_date_time: "12:00 am on 1 June, 2023",
  session_10: [{ speaker: "Ben", dia_id: "D10:1", text: "I have lived in Lisbon for three weeks now." }],
  session_1_date_time: "1:56 pm on 8 May, 2023",
  session_1: [
    { speaker: "Ada", dia_id: "D1:1", text: " I adopted a grey parrot. " },
    { speaker: "Ben", dia_id: "D1:2", text: "Lovely!", blip_caption: "a bowl of fruit", img_url: ["x"] },
    { speaker: "Ada", dia_id: "D1:3", text: "He talks all day." },
  ],
  session_2_date_time: "9:05 am on 10 May, 2023",
  session_2: [{ speaker: "Ben", dia_id: "D2:1", text: "Tomorrow I move to Lisbon." }],
  session_11_date_time: "1:00 pm on 2 June, 2023",
  events_session_1: { Ada: [], Ben: [] },
  qa: [
    { question: "What did Ada adopt?", answer: "a parrot", evidence: ["D1:1"], category: 4 },
    {
      question: "Where did Ben move to, and when?",
      answer: "Lisbon, 11 May",
      evidence: ["D2:01; D:10:1"],
      category: 1,
    },
    { question: "What does the parrot eat?", answer: "fruit", evidence: ["D1:2", "D", "D1:2"], category: 3 },
    { question: "Is Ada kind?", answer: "yes", evidence: [], category: 3 },
    { question: "What did Ben adopt?", adversarial_answer: "a parrot", evidence: ["D1:1"], category: 5 },
  ],
});
