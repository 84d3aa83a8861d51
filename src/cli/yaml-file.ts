import { Document, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type { DomainError, Fault } from '../model/errors.ts';
import { needsEscapesInYaml, printable, printableYaml } from '../runtime/printable.ts';
import type { Output } from './commands.ts';
import { CommandError } from './errors.ts';
import { readFile } from './read-file.ts';

const MAX_FILE_LENGTH = 1_048_576;

/** A parsed YAML file, which can report faults by line. */
export interface YamlFile {
  /** The value in JSON terms. */
  readonly value: unknown;
  /** Prints each fault with its line, and returns the refusal of the whole file. */
  refusal(error: DomainError, output: Output): CommandError;
}

function parse(text: string, lines: LineCounter, file: string): Document.Parsed {
  try {
    return parseDocument(text, { prettyErrors: false, logLevel: 'error', lineCounter: lines });
  } catch (error) {
    // The parser recurses: a file of nothing but brackets exhausts its stack.
    if (error instanceof RangeError) throw new CommandError(`${file} is nested too deeply.`);
    throw error;
  }
}

function valueIn(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // There are too many aliases.
    throw new CommandError(`${file} is not valid YAML: ${(error as Error).message}`);
  }
}

/** The offset of the node at a path, or of its nearest existing ancestor. */
function offsetOf(document: Document.Parsed, path: Fault['path']): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** @throws CommandError if the file cannot be read, or is not YAML */
export function readYamlFile(file: string): YamlFile {
  const text = readFile(file).toString();
  if (text.length > MAX_FILE_LENGTH) {
    throw new CommandError(`${file} is too long: the limit is ${MAX_FILE_LENGTH} characters.`);
  }
  const lines = new LineCounter();
  const document = parse(text, lines, file);
  const [fault] = [...document.errors, ...document.warnings];
  const at = (offset: number): string => `${file}, line ${lines.linePos(offset).line}`;
  if (fault !== undefined) throw new CommandError(`${at(fault.pos[0])}: not valid YAML: ${fault.message}`);
  return {
    value: valueIn(document, file),
    refusal({ faults }, { err }) {
      for (const { path, message } of faults) {
        const where = path.length === 0 ? '' : `${path.join('.')}: `;
        err(printable(`${at(offsetOf(document, path))}: ${where}${message}`));
      }
      const count = faults.length === 1 ? 'one error' : `${faults.length} errors`;
      return new CommandError(`${file} has ${count}. Nothing was changed.`);
    },
  };
}

/** A value as YAML that parses to an equal value, and that contains no control sequence for a terminal. */
export function yamlOf(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar(_, scalar) {
      const isUnsafe = typeof scalar.value === 'string' && needsEscapesInYaml(scalar.value);
      if (isUnsafe) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return printableYaml(document.toString());
}
