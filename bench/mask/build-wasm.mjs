// Compiles lib/core/mask/wasm/*.as (AssemblyScript) into lib/core/mask/wasm/module.ts:
//   node bench/mask/build-wasm.mjs
// The compiler is needed only here. It is taken from node_modules, or installed into a throw-away folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const COMPILER = 'assemblyscript@0.28.20';
const source = fileURLToPath(new URL('../../lib/core/mask/wasm/', import.meta.url));

const throwAway = join(tmpdir(), 'tessera-assemblyscript');

function findCompiler() {
  const places = [fileURLToPath(new URL('../../', import.meta.url)), throwAway];
  return places
    .map((place) => join(place, 'node_modules', 'assemblyscript', 'dist', 'asc.js'))
    .find((path) => existsSync(path));
}

function installCompiler() {
  mkdirSync(throwAway, { recursive: true });
  writeFileSync(join(throwAway, 'package.json'), '{"private":true}');
  console.log(`installing ${COMPILER} into ${throwAway}`);
  execFileSync('npm', ['install', '--no-save', COMPILER], { cwd: throwAway, stdio: 'inherit' });
  return findCompiler();
}

/** The compiler asks for `x.ts`; our sources are `x.as`, so that TypeScript and the linter leave them alone. */
function readSource(name) {
  const path = join(source, name.replace(/\.ts$/, '.as'));
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** A test compares it with the files, so that nobody changes them and forgets to build. */
function sourceHash() {
  const names = readdirSync(source)
    .filter((name) => name.endsWith('.as'))
    .sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(join(source, name)));
  return hash.digest('hex');
}

const asc = await import(pathToFileURL(findCompiler() ?? installCompiler()).href);
let binary;
const { error } = await asc.main(
  [
    'kernel.ts',
    '-O3',
    '--converge',
    '--noAssert',
    '--runtime',
    'stub',
    '--enable',
    'simd',
    '-o',
    'kernel.wasm',
  ],
  {
    stdout: process.stdout,
    stderr: process.stderr,
    readFile: readSource,
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') binary = contents;
    },
    listFiles: () => [],
  },
);
if (error) throw error;
writeFileSync(
  join(source, 'module.ts'),
  `/** Built by bench/mask/build-wasm.mjs, ${binary.length} bytes, from .as files whose joined contents have this SHA-256. */
export const SOURCE_SHA256 = '${sourceHash()}';

export const MODULE_BASE64 =
  '${Buffer.from(binary).toString('base64')}';
`,
);
console.log(`lib/core/mask/wasm/module.ts: ${binary.length} bytes of WebAssembly`);
