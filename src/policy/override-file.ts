/** A policy file: a YAML (or JSON) mapping of rule names to rules. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import type { PolicyOverrides } from './enforcer.ts';
import type { RuleSource } from './language.ts';
import { PolicyError, quoted } from './policy-error.ts';

const MAX_FILE_LENGTH = 1_048_576;

class PolicyFile {
  readonly #lines = new LineCounter();

  readonly #text: string;
  readonly #fileName: string;

  constructor(text: string, fileName: string) {
    this.#text = text;
    this.#fileName = fileName;
  }

  read(): PolicyOverrides {
    const contents = this.#parse();
    const overrides: Record<string, RuleSource> = Object.create(null);
    if (contents === null) return overrides;
    if (!isMap<Node, Node | null>(contents)) {
      throw this.#error(contents, 'a policy file must be a mapping of rule names to rules.');
    }
    for (const { key, value } of contents.items) {
      const name = this.#name(key);
      if (name in overrides)
        throw this.#error(key, `the rule ${quoted(name)} is defined here a second time.`);
      overrides[name] = this.#rule(value ?? key, `the rule ${quoted(name)}`);
    }
    return overrides;
  }

  #parse(): Node | null {
    if (this.#text.length > MAX_FILE_LENGTH) {
      throw new PolicyError(this.#fileName, `a policy file may have at most ${MAX_FILE_LENGTH} characters.`);
    }
    try {
      return this.#document();
    } catch (error) {
      // The parser is recursive: a file of nothing but brackets exhausts its stack.
      if (error instanceof RangeError) throw new PolicyError(this.#fileName, 'is nested too deeply.');
      throw error;
    }
  }

  #document(): Node | null {
    const document = parseDocument(this.#text, {
      uniqueKeys: false, // read() finds these faster, with a better message
      prettyErrors: false,
      logLevel: 'error',
      lineCounter: this.#lines,
    });
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw this.#errorAt(fault.pos[0], `is not valid YAML: ${fault.message}`);
    this.#refuseIndirection(document.contents);
    return isScalar(document.contents) && document.contents.value === null ? null : document.contents;
  }

  /** Rejects anchors, aliases and tags: rules are literal. An unquoted `!` is a YAML tag. */
  #refuseIndirection(contents: Node | null): void {
    visit(contents, {
      Alias: (_, node) => {
        throw this.#error(
          node,
          'aliases (*name) are not supported: name a rule and refer to it with rule:name.',
        );
      },
      Node: (_, node) => {
        if (node.tag === '!')
          throw this.#error(node, 'write "!" with its quotes; without them it is a YAML tag.');
        if (node.tag !== undefined) {
          throw this.#error(node, 'tags (!name) are not supported.');
        }
        if ('anchor' in node && node.anchor !== undefined) {
          throw this.#error(
            node,
            'anchors (&name) are not supported: name a rule and refer to it with rule:name.',
          );
        }
      },
    });
  }

  #name(key: Node): string {
    if (!isScalar(key) || typeof key.value !== 'string')
      throw this.#error(key, 'the name of a rule must be a string.');
    if (!/^[A-Za-z0-9_.:-]{1,100}$/.test(key.value)) {
      throw this.#error(key, `${quoted(key.value)} is not a rule name: use letters, digits and "_.:-".`);
    }
    return key.value;
  }

  #rule(value: Node, what: string): RuleSource {
    if (!isSeq<Node>(value)) return this.#string(value, what);
    return value.items.map((item) =>
      isSeq<Node>(item) ? item.items.map((check) => this.#string(check, what)) : this.#string(item, what),
    );
  }

  #string(node: Node, what: string): string {
    if (isScalar(node) && typeof node.value === 'string') return node.value;
    throw this.#error(
      node,
      `${what} must be a quoted string, such as "role:admin", or a list of lists of such strings.`,
    );
  }

  #error(node: Node, what: string): PolicyError {
    return this.#errorAt(node.range?.[0] ?? 0, what);
  }

  #errorAt(offset: number, what: string): PolicyError {
    return new PolicyError(`${this.#fileName}, line ${this.#lines.linePos(offset).line}`, what);
  }
}

/**
 * Parses a policy file and checks its YAML; loadPolicy checks that the rules fit together.
 * @throws PolicyError
 */
export function parsePolicyFile(text: string, fileName: string): PolicyOverrides {
  return new PolicyFile(text, fileName).read();
}
