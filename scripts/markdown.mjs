// How the reference pages write Markdown.
const cell = (text) => text.replaceAll('|', '\\|');

export const code = (text) => `\`${text}\``;

export function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
