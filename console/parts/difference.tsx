import { Text } from './text.tsx';

type Fields = Readonly<Record<string, unknown>>;

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Value({ value, isChanged, mark }: { value: unknown; isChanged: boolean; mark: 'old' | 'new' }) {
  const text = textOf(value);
  if (text === undefined) return <td />;
  return (
    <td class={isChanged ? mark : ''}>
      {text === '' ? <span class="quiet">empty</span> : <Text text={text} />}
    </td>
  );
}

/** Values before and after, side by side; renders nothing if there are none. */
export function Difference({
  before,
  after,
  caption = 'Changes',
  titles = ['Before', 'After'],
}: {
  readonly before: Fields;
  readonly after: Fields;
  readonly caption?: string;
  readonly titles?: readonly [before: string, after: string];
}) {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  if (keys.length === 0) return null;
  const hasBefore = Object.keys(before).length > 0;
  return (
    <div class="scrolled">
      <table class="difference">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {hasBefore && <th scope="col">{titles[0]}</th>}
            <th scope="col">{hasBefore ? titles[1] : 'Value'}</th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => {
            const isChanged = hasBefore && textOf(before[key]) !== textOf(after[key]);
            return (
              <tr key={key}>
                <th scope="row">
                  <Text text={key} />
                </th>
                {hasBefore && <Value value={before[key]} isChanged={isChanged} mark="old" />}
                <Value value={after[key]} isChanged={isChanged} mark="new" />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
