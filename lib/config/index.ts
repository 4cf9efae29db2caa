import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';
import { type Variable, type VariableName, variables } from './variables';

const shape = Object.fromEntries(
  Object.entries(variables).map(([name, variable]) => [name, variable.schema]),
) as { [Name in VariableName]: (typeof variables)[Name]['schema'] };

const environment = z.object(shape);

/** The folder of the checkout: where package.json lies. */
export const projectFolder = path.resolve(
  /* turbopackIgnore: true */ path.dirname(fileURLToPath(import.meta.url)),
  '../..',
);

export type Config = z.infer<typeof environment> & { home: string; url: string };

/** Reads and checks the environment; an empty variable counts as absent. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const faults = new Set(parsed.error.issues.map((issue) => faultOf(String(issue.path[0]), given)));
    throw new TesseraError('invalid', `The environment is not usable:\n  ${[...faults].join('\n  ')}`);
  }
  return {
    ...parsed.data,
    // The comment keeps the bundler from taking the whole checkout for something to ship.
    home: path.resolve(
      /* turbopackIgnore: true */ parsed.data.TESSERA_HOME ?? path.join(projectFolder, '.tessera'),
    ),
    url: (parsed.data.TESSERA_URL ?? `http://localhost:${parsed.data.PORT}`).replace(/\/+$/, ''),
  };
}

function faultOf(name: string, given: Record<string, string | undefined>): string {
  const { must, description, isSecret }: Variable = variables[name as VariableName];
  return `${name} must ${must}${isSecret ? '' : `, but is "${given[name]}"`}. ${description}`;
}
