import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const file = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Table {
  /** What each layer may import beside itself. */
  readonly layers: Readonly<Record<string, readonly string[]>>;
  /** The layers that may import each package. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
}

const { layers, packages }: Table = JSON.parse(file('layers.json'));

const cells = (names: readonly string[]): string => (names.length === 0 ? '–' : names.join(', '));

describe('the layer table', () => {
  it('names every folder and every file that stands in src by itself, and no other', () => {
    const inSource = readdirSync(new URL('../src', import.meta.url)).map((name) => name.replace(/\.ts$/, ''));
    expect(Object.keys(layers).sort()).toEqual(inSource.sort());
  });

  it('names every package that the program needs, and no other', () => {
    const { dependencies } = JSON.parse(file('package.json'));
    expect(Object.keys(packages).sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('stands beside a package that bundles every dependency', () => {
    const { dependencies, bundleDependencies } = JSON.parse(file('package.json'));
    expect([...bundleDependencies].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('speaks of layers that there are', () => {
    const named = [...Object.values(layers), ...Object.values(packages)].flat();
    expect(named.filter((name) => !(name in layers))).toEqual([]);
  });

  it('is what ARCHITECTURE.md shows', () => {
    const shown = file('ARCHITECTURE.md')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, layer]) => layer !== undefined && layer in layers)
      .map(([, layer, imports, own]) => [layer, imports, own]);
    const expected = Object.entries(layers).map(([layer, imports]) => {
      const own = Object.keys(packages).filter((name) => packages[name]!.includes(layer));
      return [layer, cells(imports), cells(own)];
    });
    expect(shown).toEqual(expected);
  });
});
