import fc from 'fast-check';

/** Patterns and names out of few letters, so that much of everything meets. */

const label = fc.constantFrom('a', 'b', 'ab', 'evil', 'k', 'com', 'x1', 'a-b', 'aa', 'ss', 'ü', 'i');
const literal = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join('\\.')}`);
const beginning = fc.constantFrom(
  '^([A-Za-z0-9_\\-]+\\.)*',
  '^([a-z0-9_-]+\\.)*',
  '^([a-zA-Z0-9-]+\\.)*',
  '^(.*\\.)?',
  '^(?:.*\\.)?',
  '^(.+\\.)?',
  '(^|\\.)',
  '(?:^|\\.)',
  '(?:\\.|^)',
  '^',
  '',
  '^.*',
  '^.+',
  '.*',
  '^[^.]+\\.',
  '^([^.]+\\.)?',
  '^([a-z]{1,3}\\.)+',
  '(?s)^.*',
  '(?s)^(.*\\.)?',
  '\\A',
  '^.*\\.',
  '\\.',
  '(?-i:^)',
);
const ending = fc.constantFrom('\\.$', '\\.\\Z', '$', '\\Z', '', '.*$', '.*', '.*\\Z', '\\.?$', '\\.');
const shaped = fc.tuple(beginning, literal, ending).map((parts) => parts.join(''));
const listed = fc
  .tuple(beginning, fc.array(literal, { minLength: 1, maxLength: 4 }), ending)
  .map(([start, list, end]) => `${start}(?:${list.join('|')})${end}`);

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'k',
    's',
    'i',
    'evil',
    '.',
    '\\.',
    '[ab]',
    '[^.]',
    '\\w',
    '\\d',
    '-',
    '[a-m]',
    'ü',
    '$',
    '^',
    'com',
  ],
  ...[
    '\\b',
    '\\B',
    '\\A',
    '\\Z',
    '(?=a)',
    '(?!b)',
    '(?<=a)',
    '(?<!\\.)',
    '(?-i:k)',
    '\\n',
    '(?>a+)',
    'a?+',
    '[^a]',
  ],
);
const quantifier = fc.constantFrom(
  '',
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '{0,2}',
  '*?',
  '+?',
  '{,2}',
);
const messy = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((nodes) => nodes.join('')),
    fc.tuple(tie('node'), quantifier).map(([node, times]) => `(?:${node})${times}`),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(${one}|${other})`),
    fc.tuple(tie('node'), tie('node')).map(([one, other]) => `(?:${one}|${other})\\.com\\.$`),
  ),
})).node;
const odd = fc.constantFrom(
  '([ab])\\1',
  '^(a+)\\.\\1\\.',
  '(?=.*evil).*com',
  '(?!.*com)ab',
  '(a)?(?(1)b|evil)',
  '(?i)EVIL',
  '(?m)^ab$',
  '(?x) a b  # comment',
  '^(?:(?:a|ab)(?:c|bcd)?)+\\.com\\.$',
  '[a-b]{2}[a-z0-9]{5}[k-z]',
  '',
  '()',
  '^$',
  '$',
  '[^\\x00-\\U0010ffff]',
  'K',
  'ß',
  '^(.*\\.)?münchen\\.com\\.$',
  '\\.com\\.$',
  '^com\\.$',
);

export const pattern = fc.oneof(
  { weight: 4, arbitrary: shaped },
  { weight: 2, arbitrary: listed },
  { weight: 3, arbitrary: messy },
  { weight: 1, arbitrary: odd },
);

const plainName = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => `${labels.join('.')}.`);
const wild = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'K',
      '\u212a',
      'ſ',
      'İ',
      'ı',
      '.',
      '.',
      '\n',
      'ü',
      'Ü',
      '-',
      '😀',
      'com.',
      'evil',
      '1',
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

export const name = fc.oneof(
  { weight: 4, arbitrary: plainName },
  { weight: 2, arbitrary: wild },
  { weight: 1, arbitrary: fc.tuple(plainName, wild).map(([one, other]) => other + one) },
  {
    weight: 1,
    arbitrary: fc.tuple(plainName, fc.constantFrom('\n', '\n\n', '.')).map(([one, other]) => one + other),
  },
);
