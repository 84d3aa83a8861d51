import { expect, it } from 'vitest';
import { firstSerial, nextSerial } from '../../src/model/zones/serial.ts';

it.each([
  ['before 2038', 2 ** 31 - 1, 2 ** 31 - 1],
  ['from 2038 on, half the circle away from 0', 2 ** 31, 2 ** 31],
  ['shortly before 2106', 2 ** 32 - 1, 2 ** 32 - 1],
  ['in 2106, where the circle is closed', 2 ** 32, 1],
  ['after 2106', 2 ** 32 + 7, 7],
])('the first serial is the time in seconds: %s', (_, seconds, serial) => {
  expect(firstSerial(seconds)).toBe(serial);
});

it.each([
  ['the time, where it lies ahead', 7, 100, 100],
  ['one more within the same second', 100, 100, 101],
  ['one more when the clock was set back', 100, 50, 101],
  ['one more when it lies half the circle away', 1, 1 + 2 ** 31, 2],
  ['past 0', 2 ** 32 - 1, 5 + 2 ** 32, 5],
  ['never 0', 2 ** 32 - 1, 2 ** 32 - 1, 1],
])('the next serial is %s', (_, previous, seconds, serial) => {
  expect(nextSerial(previous, seconds)).toBe(serial);
});
