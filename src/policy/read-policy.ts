import { readFileSync } from 'node:fs';
import { type LoadedPolicy, loadPolicy } from './enforcer.ts';
import { PolicyError } from './policy-error.ts';

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PolicyError(`The policy file ${file}`, `it cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * Loads the code that reads the policy; that for YAML only if there is a policy file.
 * @param file path of the policy file; empty if there is none
 * @returns a function that gives the effective policy: the defaults with the overrides of the file. It throws a PolicyError if
 * the file cannot be read or used.
 */
export async function policyReader(file: string): Promise<() => LoadedPolicy> {
  if (file === '') return () => loadPolicy();
  const { parsePolicyFile } = await import('./override-file.ts');
  return () => loadPolicy(parsePolicyFile(readText(file), file), file);
}
