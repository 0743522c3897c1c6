import { describe, expect, test } from "vitest";
import { mayConflict, readClaims } from "../../src/text/conflicts.ts";

type Pair = [one: string, other: string];

/** The second contradicts the first, or replaces it. */
const CONFLICTS: Pair[] = [
  ["Maria's phone number is 555-0192.", "Maria's phone number is 555-0177."],
  ["The rent of the flat is 950 euros.", "The rent of the flat is 1,020 euros."],
  ["The standup starts at 9:30.", "The standup starts at 10:00."],
  ["Paul was born in 1984.", "Paul was born in 1986."],
  ["The API limit is 100 requests a minute.", "The API limit is 60 requests a minute."],
  ["Deploys happen on Tuesdays.", "Deploys happen on Thursdays."],
  ["The contract ends on 2026-03-31.", "The contract ends on 2026-06-30."],
  ["Anna's birthday is 4 May.", "Anna's birthday is 4 June."],
  ["The server runs Node 20.", "The server runs Node 22."],
  ["The meeting is in room 12.", "The meeting is in room 31."],
  ["Omar eats meat.", "Omar does not eat meat."],
  ["Lena drinks coffee in the morning.", "Lena never drinks coffee in the morning."],
  ["The customer wants invoices by mail.", "The customer doesn't want invoices by mail."],
  ["Refunds go to the card.", "Refunds do not go to the card."],
  ["Tom can drive a truck.", "Tom can't drive a truck."],
  ["Write to billing@acme.test for invoices.", "Write to invoices@acme.test for invoices."],
  ["Jon's address is jon@old.test.", "Jon's address is jon@new.test."],
  ["The docs are at https://docs.acme.test/v1.", "The docs are at https://docs.acme.test/v2."],
  ["The status page is https://status.acme.test", "The status page is https://acme.test/status"],
  ["The dashboard lives at www.old.test/board", "The dashboard lives at www.new.test/board"],
  ["Noah has two children.", "Noah has three children."],
  ["The team has 8 engineers.", "The team has 11 engineers."],
  ["The flight to Rome leaves at 14:20.", "The flight to Rome leaves at 16:05."],
  ["The password rotates every 90 days.", "The password rotates every 30 days."],
  ["Backups are kept for 7 days.", "Backups are kept for 14 days."],
  ["Version 2.3 is the stable release.", "Version 2.4 is the stable release."],
  ["The warranty lasts two years.", "The warranty lasts five years."],
  ["Eva works remotely on Fridays.", "Eva works remotely on Mondays."],
  ["Iris is allergic to nuts.", "Iris is not allergic to nuts."],
  ["The feature flag checkout is on without review.", "The feature flag checkout is on after review."],
  ["The store opens at 8.", "The store opens at 9 now."],
  ["Ben's shoe size is 43.", "Ben's shoe size is 44."],
  ["Orders over 50 euros ship free.", "Orders over 75 euros ship free."],
  ["The project budget is 20,000 dollars.", "The project budget was raised to 25,000 dollars."],
  ["Alerts go to ops@acme.test.", "Alerts go to oncall@acme.test."],
  ["The lease starts on 01.04.2026.", "The lease starts on 01.05.2026."],
  ["Kim speaks no French.", "Kim speaks French."],
  ["The release is planned for March.", "The release is planned for April."],
  ["The timeout is 30 seconds.", "The timeout is 10 seconds."],
  ["We use port 8080 for the proxy.", "We use port 8443 for the proxy."],
  ["Der Vertrag läuft bis 2027.", "Der Vertrag läuft bis 2028."],
  ["Klaus isst Fleisch.", "Klaus isst kein Fleisch."],
  ["Die Sprechstunde ist am Montag.", "Die Sprechstunde ist am Mittwoch."],
  ["La reunión es el lunes a las 10.", "La reunión es el martes a las 10."],
  ["Carmen come pescado y carne.", "Carmen nunca come pescado y carne."],
  ["Le loyer est de 700 euros.", "Le loyer est de 750 euros."],
  ["Julie aime le café noir.", "Julie n'aime pas le café noir."],
  ["会议在下午3点开始。", "会议在下午4点开始。"],
  ["玛丽喜欢喝咖啡。", "玛丽不喜欢喝咖啡。"],
  ["会議は10時に始まります。", "会議は11時に始まります。"],
];

/** Near in their words, and both can be true. */
const NEAR: Pair[] = [
  ["Maria's phone number is 555-0192.", "Maria's phone number has the prefix of Ohio."],
  ["The rent of the flat is 950 euros.", "The rent of the flat includes water."],
  ["The standup starts at 9:30.", "The standup starts at 9:30 in room 4."],
  ["Paul was born in 1984.", "Paul was born in Lyon."],
  ["The API limit is 100 requests a minute.", "The API limit is counted for each key."],
  ["Deploys happen on Tuesdays.", "Deploys happen on Tuesdays after the standup."],
  ["The contract ends on 2026-03-31.", "The contract ends with a notice of the customer."],
  ["Anna's birthday is 4 May.", "Anna's birthday party was fun."],
  ["The server runs Node 20.", "The server runs behind a proxy."],
  ["The meeting is in room 12.", "The meeting is moderated by Paul."],
  ["Omar eats meat.", "Omar eats meat and fish."],
  ["Lena drinks coffee in the morning.", "Lena drinks coffee with milk."],
  ["The customer wants invoices by mail.", "The customer wants invoices and reminders."],
  ["Refunds go to the card.", "Refunds go to the card of the buyer."],
  ["Tom can drive a truck.", "Tom can drive a bus, too."],
  ["Write to billing@acme.test for invoices.", "Write to billing@acme.test for invoices and refunds."],
  ["Jon's address is jon@old.test.", "Jon's address is public."],
  ["The docs are at https://docs.acme.test/v1.", "The docs are written in Markdown."],
  ["The status page is https://status.acme.test", "The status page is green."],
  ["The dashboard lives at www.old.test/board", "The dashboard lives on its own server."],
  ["Noah has two children.", "Noah has two children, Mia and Leo."],
  ["The team has 8 engineers.", "The team has 8 engineers and 2 designers."],
  ["The flight to Rome leaves at 14:20.", "The flight to Rome leaves from gate B."],
  ["The password rotates every 90 days.", "The password rotates automatically."],
  ["Backups are kept for 7 days.", "Backups are encrypted and kept."],
  ["Version 2.3 is the stable release.", "The stable release is signed."],
  ["The warranty lasts two years.", "The warranty lasts two years from delivery."],
  ["Eva works remotely on Fridays.", "Eva works remotely from Porto."],
  ["Iris is allergic to nuts.", "Iris is allergic to nuts and pollen."],
  ["Iris is not allergic to nuts.", "Iris is not allergic to nuts or milk."],
  ["The store opens at 8.", "The store opens in the old town."],
  ["Ben's shoe size is 43.", "Ben's shoe size is printed inside."],
  ["Orders over 50 euros ship free.", "Orders over 50 euros ship free of charge."],
  ["The project budget is 20,000 dollars.", "The project budget is approved."],
  ["Alerts go to ops@acme.test.", "Alerts go to the phone as well."],
  ["The lease starts on 01.04.2026.", "The lease starts with a deposit."],
  ["Kim speaks French.", "Kim speaks French fluently."],
  ["The release is planned for March.", "The release is planned by Nina."],
  ["The timeout is 30 seconds.", "The timeout is configurable."],
  ["We use port 8080 for the proxy.", "We use port 8080 for the proxy and the tests."],
  ["Der Vertrag läuft bis 2027.", "Der Vertrag läuft über Anna."],
  ["Klaus isst Fleisch.", "Klaus isst Fleisch und Fisch."],
  ["Die Sprechstunde ist am Montag.", "Die Sprechstunde ist am Montag im Büro."],
  ["La reunión es el lunes a las 10.", "La reunión es el lunes con Pedro."],
  ["Carmen come pescado y carne.", "Carmen come pescado, carne y arroz."],
  ["Le loyer est de 700 euros.", "Le loyer est payé par virement."],
  ["Julie aime le café noir.", "Julie aime le café noir et le thé."],
  ["会议在下午3点开始。", "会议在下午3点开始，保罗主持。"],
  ["玛丽喜欢喝咖啡。", "玛丽喜欢喝咖啡和茶。"],
  ["会議は10時に始まります。", "会議は10時に始まります。部屋は2階です。"],
];

const found = (pairs: Pair[]) =>
  pairs.filter(([one, other]) => mayConflict(readClaims(one), readClaims(other)));

describe("possible conflicts of two notes", () => {
  test("are found in at least 46 of 50 pairs that conflict, and in at most 3 of 50 that do not", () => {
    expect([CONFLICTS.length, NEAR.length]).toEqual([50, 50]);
    const [right, wrong] = [found(CONFLICTS), found(NEAR)];
    console.log(
      `conflicts found: ${right.length} of 50; pairs without that are taken for one: ${wrong.length} of 50`,
    );
    expect(right.length).toBeGreaterThanOrEqual(46);
    expect(wrong.length).toBeLessThanOrEqual(3);
  });

  test("do not depend on the order, and a note never conflicts with itself or with one about something else", () => {
    for (const [one, other] of [...CONFLICTS, ...NEAR]) {
      const [a, b] = [readClaims(one), readClaims(other)];
      expect(mayConflict(a, b), one).toBe(mayConflict(b, a));
      expect(mayConflict(a, a), one).toBe(false);
    }
    expect(
      mayConflict(readClaims("The rent is 950 euros."), readClaims("Backups are kept for 7 days.")),
    ).toBe(false);
  });
});
