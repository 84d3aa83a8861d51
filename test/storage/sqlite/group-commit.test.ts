import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/model/errors.ts';
import type { Store } from '../../../src/model/store.ts';
import { openStore } from '../../../src/storage/open.ts';

describe('transactions that wait together', () => {
  let dataDir: string;
  let store: Store;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'zonewarden-test-'));
    store = await openStore({ dataDir, busyTimeoutMs: 1000, readTimeoutMs: 5000 });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });

  const zonesOf = async (project: string) => (await store.projects.state(project)).zones;

  /** Counts a zone for a project, then fails if it is told to. */
  const count = (project: string, failure?: Error) =>
    store.transaction(async (tx) => {
      tx.projects.grow(project, { zones: 1 });
      await new Promise((resolve) => setImmediate(resolve));
      if (failure !== undefined) throw failure;
      return project;
    });

  it('succeed and fail each by itself', async () => {
    const failure = new Error('not this one');
    const projects = Array.from({ length: 200 }, (_, number) => `p${number}`);
    const fails = (project: string) => Number(project.slice(1)) % 3 === 0;
    const jobs = projects.map((project) => count(project, fails(project) ? failure : undefined));
    const ends = await Promise.allSettled(jobs);
    for (const [index, project] of projects.entries()) {
      const expected = fails(project)
        ? { status: 'rejected', reason: failure }
        : { status: 'fulfilled', value: project };
      expect(ends[index]).toEqual(expected);
      expect(await zonesOf(project)).toBe(fails(project) ? 0 : 1);
    }
  });

  it('see what those before them have done', async () => {
    const seen = await Promise.all(
      Array.from({ length: 100 }, () =>
        store.transaction(async (tx) => {
          const { zones } = await tx.projects.lock('one');
          tx.projects.grow('one', { zones: 1 });
          return zones;
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it('are finished before the store is closed; those that come later are refused', async () => {
    const jobs = Array.from({ length: 100 }, (_, number) => count(`p${number}`));
    const closing = store.close();
    const late = count('late');
    const [ends] = await Promise.all([Promise.all(jobs), closing, expect(late).rejects.toThrow(DomainError)]);
    expect(ends).toHaveLength(100);
    store = await openStore({ dataDir, busyTimeoutMs: 1000, readTimeoutMs: 5000 });
    expect(await zonesOf('p99')).toBe(1);
    expect(await zonesOf('late')).toBe(0);
  });

  it('are committed for each project in turn', async () => {
    const done: string[] = [];
    const by = (project: string) =>
      store.transaction(async () => {}, project).then(() => void done.push(project));
    await Promise.all([...Array.from({ length: 1000 }, () => by('many')), by('one'), by('another')]);
    expect(done).toHaveLength(1002);
    // The first commit, which holds at most 64, has theirs.
    expect(done.indexOf('one')).toBeLessThan(64);
    expect(done.indexOf('another')).toBeLessThan(64);
  });

  it('all fail when the database does, and the next ones go on', async () => {
    const trouble = new DomainError('storage_unavailable');
    const ends = await Promise.allSettled([
      count('first'),
      count('second'),
      count('third', trouble),
      count('fourth'),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    expect(await zonesOf('first')).toBe(0);
    expect(await count('fifth')).toBe('fifth');
    expect(await zonesOf('fifth')).toBe(1);
  });
});
