import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSchema } from '@/app/api/_http/endpoint';
import { endpoints } from '@/app/api/v1/endpoints';
import { projectFolder } from '@/lib/config';
import { policy } from '@/lib/services/access';

/** Whatever a stranger can reach asks who they are and what they may, and believes nothing that it did not check. */
const sources = readdirSync(path.join(projectFolder, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => {
    const name = `app/${file.split(path.sep).join('/')}`;
    return { name, text: readFileSync(path.join(projectFolder, name), 'utf8') };
  });

/** The functions of a module by their names, each with its text up to the next one at the margin. */
function functionsOf(text: string): { name: string; isExported: boolean; text: string }[] {
  const starts = [
    ...text.matchAll(
      /^(export )?(?:(?:default )?async function\*? (\w+)|function (\w+)|const (\w+) = (?:async )?\(|const (\w+) = async|const (\w+) = action\()/gm,
    ),
  ];
  return starts.map((match, index) => ({
    name: match.slice(2).find((found) => found !== undefined) ?? '',
    isExported: match[1] !== undefined,
    text: text.slice(match.index, starts[index + 1]?.index),
  }));
}

/** The text of a function with that of the functions of its module that it calls. */
function reachOf(text: string, name: string, seen = new Set<string>()): string {
  const all = functionsOf(text);
  const own = all.find((each) => each.name === name)?.text ?? '';
  seen.add(name);
  const called = all.filter((each) => !seen.has(each.name) && new RegExp(`\\b${each.name}\\(`).test(own));
  return own + called.map((each) => reachOf(text, each.name, seen)).join('');
}

const gate =
  /\b(pageProject|requireRight|requireActor|currentActor|authorise|page(Version|Run|Model|Evaluation|Comparison|\w+))\(/;

describe('every endpoint', () => {
  it('names a verb of the policy, or is open to strangers on purpose', () => {
    const open = endpoints.filter((entry) => entry.authorise === 'public').map((entry) => entry.path);
    expect(open.sort()).toEqual([
      '/api/v1/invitations/accept',
      '/api/v1/invitations/look',
      '/api/v1/openapi.json',
    ]);
    for (const { authorise, path: at } of endpoints) {
      if (authorise === 'public') continue;
      expect(policy, at).toHaveProperty([typeof authorise === 'object' ? authorise.inQuery : authorise]);
    }
  });

  it('changes nothing by GET', () => {
    const writes = endpoints.filter(({ method, authorise }) => {
      const verb = typeof authorise === 'object' ? authorise.inQuery : authorise;
      return method === 'GET' && /\.(write|manage|cancel|create|archive|restore|freeze|decide)$/.test(verb);
    });
    // These look at an upload, at the smart tools of an image, or at what is one's own, with the right of who may change it.
    expect(writes.map((entry) => entry.path).sort()).toEqual([
      '/api/v1/invitations',
      '/api/v1/keys',
      '/api/v1/projects/{project}/audit/labels/{label}/assist',
      '/api/v1/projects/{project}/gold/images/{image}/assist',
      '/api/v1/projects/{project}/uploads/{upload}/formats',
      '/api/v1/sessions',
      '/api/v1/trainers',
      '/api/v1/users',
    ]);
  });

  it('has a schema for what it reads and for what it says', () => {
    for (const entry of endpoints) {
      const name = `${entry.method} ${entry.path}`;
      const isRead = entry.body === undefined || isSchema(entry.body) || 'mediaType' in entry.body;
      expect(isRead, name).toBe(true);
      if (entry.method === 'GET') expect(entry.body, name).toBeUndefined();
      if (entry.output && !isSchema(entry.output)) expect(entry.output.mediaType, name).toBeTruthy();
    }
  });

  it('is served from the registry: no route file of the API has a handler of its own', () => {
    const own = sources.filter(({ name }) => name.startsWith('app/api/v1/') && name.endsWith('/route.ts'));
    expect(own.map(({ name }) => name)).toEqual([]);
  });
});

describe('every server action', () => {
  const files = sources.filter(({ text }) => text.startsWith("'use server'"));
  const actions = files.flatMap(({ name: file, text }) =>
    functionsOf(text)
      .filter((each) => each.isExported)
      .map(({ name }) => ({ file, name, reach: reachOf(text, name) })),
  );
  /** Their whole point is that nobody is known yet, or need be. */
  const beforeSignIn = ['signIn', 'signOut', 'beginVisit', 'joinWithNewAccount'];

  it('is found', () => {
    expect(actions.length).toBeGreaterThan(60);
  });

  it('asks the gate who is asking', () => {
    const ungated = actions.filter(({ name, reach }) => !gate.test(reach) && !beforeSignIn.includes(name));
    expect(ungated.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('is made by `action`, with a schema for every argument', () => {
    const others = files.flatMap(({ name: file, text }) =>
      [...text.matchAll(/^export (?!type |interface )(?!const \w+ = action\()[^\n]*/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    );
    expect(others).toEqual([]);
    const unchecked = actions.filter(({ reach }) => countSchemas(reach) < countParameters(reach));
    expect(unchecked.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  });

  it('takes no argument as it comes', () => {
    const loose = actions.filter(({ reach }) => /\bz\.(any|unknown|custom)\(/.test(schemasOf(reach)));
    expect(loose.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
    // What is plain data here is checked by a schema of the service that the action calls.
    const plain = actions.filter(({ reach }) => /\bPlain\b/.test(schemasOf(reach)));
    expect(plain.map(({ name }) => name).sort()).toEqual([
      'freeze',
      'putInForce',
      'readEffects',
      'saveText',
      'start',
    ]);
  });

  it('recognizes one that checks nothing', () => {
    const bad = 'export const a = action([Slug], async (slug, more): Promise<void> => {});';
    expect(countSchemas(bad)).toBe(1);
    expect(countParameters(bad)).toBe(2);
    expect(countSchemas('export const a = action([], async () => {});')).toBe(0);
    expect(
      countSchemas("export const a = action([z.enum(['a', 'b']), z.object({ c: Id, d: Id }), Form], async ("),
    ).toBe(3);
  });

  /** The list between the brackets of `action([…]`. */
  function schemasOf(reach: string): string {
    const from = reach.indexOf('[', reach.indexOf('= action('));
    let depth = 0;
    for (let at = from; at < reach.length; at++) {
      if ('[({'.includes(reach[at] as string)) depth++;
      else if ('])}'.includes(reach[at] as string) && --depth === 0) return reach.slice(from + 1, at);
    }
    return '';
  }

  /** Entries of a list, of which brackets may hold further commas. */
  function countEntries(list: string): number {
    let inner = list;
    for (let before = ''; before !== inner; ) {
      before = inner;
      inner = inner.replace(/\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g, '');
    }
    return inner.split(',').filter((entry) => entry.trim() !== '').length;
  }

  function countSchemas(reach: string): number {
    return countEntries(schemasOf(reach));
  }

  function countParameters(reach: string): number {
    const rest = reach.slice(reach.indexOf('= action('));
    return countEntries(/async \(([^)]*)\)/.exec(rest)?.[1] ?? '');
  }
});

describe('every page and file below the console and the work pages', () => {
  const pages = sources.filter(
    ({ name }) =>
      /\/(page\.tsx|route\.ts)$/.test(name) && /^app\/(\((console|annotator)\)|annotate)\//.test(name),
  );

  it('asks the gate who is asking', () => {
    expect(pages.length).toBeGreaterThan(70);
    // It says that somebody is signed in, to the window that asked them to, and nothing about whom.
    const open = ['app/annotate/signed-in/page.tsx'];
    const ungated = pages.filter(({ name, text }) => !gate.test(text) && !open.includes(name));
    expect(ungated.map(({ name }) => name)).toEqual([]);
  });
});

describe('what can go wrong once, goes wrong nowhere', () => {
  const all = ['app', 'lib', 'workers', 'bin'].flatMap((folder) =>
    readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|mjs|py)$/.test(file))
      .map((file) => {
        const name = `${folder}/${file.split(path.sep).join('/')}`;
        return { name, text: readFileSync(path.join(projectFolder, name), 'utf8') };
      }),
  );
  const holding = (pattern: RegExp) => all.filter(({ text }) => pattern.test(text)).map(({ name }) => name);

  it('no page writes markup of its own making', () => {
    expect(holding(/dangerouslySetInnerHTML|\.innerHTML\s*=|insertAdjacentHTML|document\.write\(/)).toEqual(
      [],
    );
  });

  it('no text becomes code', () => {
    expect(
      holding(/(?<!\.)\beval\((?!\))|new Function\(|\bvm\.run|\bexecSync\(|shell: true|shell=True/),
    ).toEqual([]);
  });

  it('nothing is unpickled: weights are loaded as weights only', () => {
    expect(holding(/pickle\.loads?\(|allow_pickle=True|joblib\.load|weights_only=False/)).toEqual([]);
    const loads = all.flatMap(({ name, text }) =>
      [...text.matchAll(/torch\.load\((?:[^()]|\([^()]*\))*\)/g)].map(([found]) => ({ name, found })),
    );
    expect(loads.length).toBeGreaterThan(0);
    expect(loads.filter(({ found }) => !found.includes('weights_only=True'))).toEqual([]);
  });

  it('the server fetches no address that a visitor gave: only those of its own configuration', () => {
    const fetching = all
      .filter(
        ({ name, text }) =>
          /^(lib|workers|app\/api)\//.test(name) && /(?<!(?:[.\w]|async ))fetch\(/.test(text),
      )
      .filter(({ text }) => !text.startsWith("'use client'"))
      .map(({ name }) => name);
    // Each of these has its address from the environment or the command line, where only the operator writes.
    const configured =
      /^lib\/services\/(observability\/span-exporter\.ts|storage\/s3|crowd\/recruit\/prolific\/api\.ts|training\/agent\/platform\.ts)/;
    expect(fetching.filter((name) => !configured.test(name))).toEqual([]);
  });
});
