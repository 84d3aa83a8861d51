import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FairQueue } from '../../src/runtime/fair-queue.ts';

interface Task {
  readonly owner: string;
  readonly number: number;
}

/** What is done with a queue: a task of an owner comes, or one is taken. */
const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(undefined)), {
  maxLength: 200,
});

/** A queue that was used like that, and what came out of it in the end, with who waited when each was taken. */
function used(doing: readonly (string | undefined)[]) {
  const queue = new FairQueue<Task>();
  const added: Task[] = [];
  const taken: { task: Task; waiting: Set<string> }[] = [];
  const waiting = () =>
    new Set(added.filter((task) => !taken.some((one) => one.task === task)).map((t) => t.owner));
  const take = (): boolean => {
    const before = waiting();
    const task = queue.take();
    if (task !== undefined) taken.push({ task, waiting: before });
    expect(task === undefined).toBe(before.size === 0);
    return task !== undefined;
  };
  doing.forEach((owner, number) => {
    if (owner === undefined) take();
    else {
      const task = { owner, number };
      added.push(task);
      queue.add(owner, task);
    }
  });
  while (take());
  return { added, taken };
}

it('nothing is lost, and nothing comes out twice', () => {
  fc.assert(
    fc.property(steps, (doing) => {
      const { added, taken } = used(doing);
      expect(new Set(taken.map(({ task }) => task))).toEqual(new Set(added));
      expect(taken).toHaveLength(added.length);
    }),
  );
});

it('the tasks of one owner keep their order', () => {
  fc.assert(
    fc.property(steps, (doing) => {
      const { added, taken } = used(doing);
      for (const owner of 'abcd') {
        const own = (tasks: readonly Task[]) => tasks.filter((task) => task.owner === owner);
        expect(own(taken.map(({ task }) => task))).toEqual(own(added));
      }
    }),
  );
});

function expectNoneServedTwiceBefore(
  waiter: string,
  taken: readonly { task: Task; waiting: ReadonlySet<string> }[],
): void {
  let servedSince = new Set<string>();
  for (const { task, waiting } of taken) {
    if (!waiting.has(waiter) || task.owner === waiter) servedSince = new Set();
    else {
      expect(servedSince).not.toContain(task.owner);
      servedSince.add(task.owner);
    }
  }
}

it('no owner is served twice while another one waits all the time', () => {
  fc.assert(
    fc.property(steps, (doing) => {
      const { taken } = used(doing);
      for (const waiter of 'abcd') expectNoneServedTwiceBefore(waiter, taken);
    }),
  );
});

it('one task of an owner that comes late goes before the many that another has waiting', () => {
  const queue = new FairQueue<string>();
  for (let number = 0; number < 1000; number++) queue.add('many', `many ${number}`);
  expect(queue.take()).toBe('many 0');
  queue.add('one', 'one');
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['many 1', 'one', 'many 2']);
});
