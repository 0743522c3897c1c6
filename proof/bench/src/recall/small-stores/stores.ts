/** The memories of a person who has just begun, and questions that share no word with the memory that answers them. */
export interface SmallStore {
  userId: string;
  notes: string[];
  /** Each with the place of its note in `notes`. */
  questions: [text: string, note: number][];
}

/**
 * Written before the search was ever asked them. They must not be changed to suit it.
 *
 * proof/bench/test/small-stores.test.ts checks that no question shares a word with its note.
 */
export const SMALL_STORES: readonly SmallStore[] = [
  {
    userId: "lena",
    notes: [
      "Lena wants refunds on her card, never as store credit.",
      "Her parcels go to the neighbour at number 12, the doorbell is broken.",
      "She ordered the red kettle twice by mistake in October.",
      "Email only, she hates phone calls during work.",
      "Loyalty tier: gold since spring 2025.",
      "The mixer arrived with a cracked bowl; we sent another one on 4 November.",
    ],
    questions: [
      ["How do I get my money back?", 0],
      ["Where should deliveries be dropped off?", 1],
      ["Was there a duplicate purchase?", 2],
      ["What's the best way to contact Lena?", 3],
    ],
  },
  {
    userId: "tom",
    notes: [
      "The boiler man is called Piet, 0171 555 0199, he comes on Thursdays only.",
      "Spare key hangs behind the blue flower pot on the balcony.",
      "Wi-Fi password is on the sticker under the router, the guest one is plumtree42.",
      "Bins: paper every second Monday, glass we take to the container ourselves.",
      "Neighbours complain about the washing machine after ten at night.",
      "Landlord pays for repairs over 100 euros.",
    ],
    questions: [
      ["Who fixes our heating?", 0],
      ["I'm locked out, how do I get into the flat?", 1],
      ["How can visitors go online?", 2],
      ["When is recycling collected?", 3],
    ],
  },
  {
    userId: "amina",
    notes: [
      "Penicillin gives me a rash, so doctors have to prescribe something else.",
      "Left knee hurts after running more than five kilometres.",
      "I take 50 mg of levothyroxine before breakfast, on an empty stomach.",
      "Dr. Sørensen's practice closes at noon on Wednesdays.",
      "I sleep badly if I drink coffee after three.",
      "Booster for tetanus is due in 2031.",
    ],
    questions: [
      ["Which medicine am I allergic to?", 0],
      ["What injury do I get from jogging?", 1],
      ["What tablets do I swallow in the morning?", 2],
      ["When is my physician not available?", 3],
    ],
  },
  {
    userId: "ravi",
    notes: [
      "We deploy on Tuesdays and never before a holiday.",
      "Postgres runs on port 5433 on my laptop, because 5432 belongs to the old project.",
      "I prefer tabs and short functions; no comments that repeat the code.",
      "The nightly job fails if the VPN is down, restart it by hand then.",
      "Staging credentials are in 1Password under 'harbor'.",
      "Priya reviews everything that touches payments.",
    ],
    questions: [
      ["When do new releases go out?", 0],
      ["How do I connect to the database locally?", 1],
      ["What indentation style should I use?", 2],
      ["Who must approve billing changes?", 5],
    ],
  },
  {
    userId: "sofia",
    notes: [
      "My husband gets airsick, so we book seats over the wing.",
      "Passport expires in March 2027.",
      "We stayed at the Fjellheim in Bergen, loud street, would not go again.",
      "The kids are 6 and 9, the little one doesn't eat fish.",
      "Frequent flyer number with the alliance: 8842 771.",
      "Trains beat flying for anything under six hours.",
    ],
    questions: [
      ["Where do we like to sit on the plane?", 0],
      ["How long are my travel documents valid?", 1],
      ["Which hotel in Norway was bad?", 2],
      ["How old are my children?", 3],
    ],
  },
  {
    userId: "bruno",
    notes: [
      "Grandma's dough: 500 g flour, 320 g water, rest overnight in the fridge.",
      "Ines can't have gluten, bake hers separately.",
      "The oven runs twenty degrees too hot.",
      "Cast iron pan: no soap, wipe with oil.",
      "Farmers' market is Saturday until one.",
      "Chili in the garden did better in pots than in the bed.",
    ],
    questions: [
      ["What's the family recipe for pizza?", 0],
      ["Which friend has coeliac disease?", 1],
      ["Why do my cakes burn?", 2],
      ["How do I clean the skillet?", 3],
    ],
  },
  {
    userId: "claire",
    notes: [
      "Nordwind's budget is approved in January, don't push for a signature before.",
      "Mr. Okafor decides alone, his assistant filters everything.",
      "They left our competitor because support took days to answer.",
      "Quote has to be in Swiss francs, without VAT.",
      "Demo went well, they liked the reports.",
      "Contract renews automatically every two years.",
    ],
    questions: [
      ["When will the client be able to buy?", 0],
      ["Who has the final say?", 1],
      ["Why were they unhappy with the previous vendor?", 2],
      ["Which currency goes on the offer?", 3],
    ],
  },
  {
    userId: "jonas",
    notes: [
      "Professor Lindqvist wants citations in Chicago style.",
      "Statistics exam on 14 February at nine, room B204.",
      "I learn best in the library before lunch.",
      "Group work with Mei and Pablo, Mei does the slides.",
      "Scholarship money arrives on the fifth.",
      "Bike lock code is my student number backwards.",
    ],
    questions: [
      ["How should I format my references?", 0],
      ["When is my next test?", 1],
      ["Where do I study well?", 2],
      ["Who prepares our presentation?", 3],
    ],
  },
  {
    userId: "hanna",
    notes: [
      "Momo only eats the salmon pouches, everything with chicken she leaves.",
      "The vet said to give the drops twice a day until Sunday.",
      "Tomatoes on the south side, the north bed floods.",
      "The hedge may not be cut between March and September.",
      "Rex barks at cyclists.",
      "Compost pickup costs 30 a year.",
    ],
    questions: [
      ["Which flavour does my cat refuse?", 0],
      ["How often does the animal need medication?", 1],
      ["Where should I plant vegetables?", 2],
      ["When is trimming bushes forbidden?", 3],
    ],
  },
  {
    userId: "marek",
    notes: [
      "Rent is 1,240 and leaves the account on the third.",
      "I keep three salaries aside for emergencies.",
      "The accountant needs all receipts by the end of May.",
      "No shares in tobacco or weapons, please.",
      "Car insurance can be cancelled in November.",
      "I lent Karol 600, he pays back 50 a month.",
    ],
    questions: [
      ["What does my apartment cost?", 0],
      ["How large are my savings?", 1],
      ["What's the deadline for tax paperwork?", 2],
      ["Which companies do I refuse to invest in?", 3],
    ],
  },
];
