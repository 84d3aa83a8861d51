import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Another process that holds the write lock of a database. */
export interface WriteLock {
  release(): Promise<void>;
}

/** Takes the write lock of a database in a process of its own. What has been committed can be read by everybody. */
export async function holdWriteLock(file: string): Promise<WriteLock> {
  const script = `
    import { DatabaseSync } from '@photostructure/sqlite';
    const database = new DatabaseSync(process.argv[1]);
    database.exec('begin immediate');
    console.log('locked');
    process.stdin.resume().on('end', () => {
      database.exec('rollback');
      database.close();
      process.exit(0);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
  await once(child.stdout, 'data');
  return {
    async release() {
      const end = once(child, 'exit');
      child.stdin.end();
      await end;
    },
  };
}
