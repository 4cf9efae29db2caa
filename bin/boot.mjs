/** Checks what the rest takes for granted, then lets Node read TypeScript. */
export async function boot() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `Tessera needs Node.js 20.19 or newer; this is ${process.version}.\nInstall a newer one from https://nodejs.org, or with your version manager (nvm install 22).`,
    );
    process.exit(1);
  }
  const { register } = await import('tsx/esm/api').catch(() => {
    console.error('The dependencies are not installed. Run `npm ci` first.');
    process.exit(1);
  });
  register();
}
