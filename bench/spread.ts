/**
 * What it costs to make an object of another one and more members: with what is spread first, with the new members first,
 * and by `Object.assign` to an object that was made for it. Prints microseconds for each object, the best of seven rounds.
 *
 *     npm run bench -- spread
 */
const OBJECTS = 60_000;
const ROUNDS = 7;

interface Sized {
  readonly id: number;
}

type Make = (number: number) => object;

/** Makes an object with `size` members. */
function madeWith(size: number): (id: number) => Sized {
  const members = Array.from({ length: size - 1 }, (_, place) => `member${place}: id + ${place}`);
  return new Function('id', `return { id, ${members.join(', ')} };`) as (id: number) => Sized;
}

function measure(name: string, size: number, make: Make): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    for (let number = 0; number < OBJECTS; number++) make(number);
    best = Math.min(best, performance.now() - begun);
  }
  console.log(`| ${size} | ${name} | ${((1000 * best) / OBJECTS).toFixed(2)} |`);
}

console.log('| members | object | µs |\n|---|---|---|');
for (const size of [4, 12, 20]) {
  const made = madeWith(size);
  measure('{ ...object, more, most }', size, (number) => ({ ...made(number), more: number, most: number }));
  measure('{ more, most, ...object }', size, (number) => ({ more: number, most: number, ...made(number) }));
  measure('Object.assign(object, { more, most })', size, (number) =>
    Object.assign(made(number), { more: number, most: number }),
  );
}
