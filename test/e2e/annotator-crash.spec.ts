import { expect, test } from '@playwright/test';
import { childrenOf, startTessera, temporaryHome } from '../support/instance';
import { Annotator } from './support/annotator';
import { password, signIn } from './support/people';

test('a server that is killed in the middle of a drawing and comes back has lost nothing', async ({
  browser,
}) => {
  // An instance of its own is made, killed and started again.
  test.setTimeout(300_000);
  const place = await temporaryHome();
  const env = { TESSERA_HOME: place.home, PORT: String(place.port), TESSERA_DEMO_PASSWORD: password };
  let instance = startTessera(['start'], env);
  try {
    await instance.says(/is running at/);
    const context = await browser.newContext({
      baseURL: place.url,
      viewport: { width: 1280, height: 800 },
    });
    const page = await context.newPage();
    await signIn(page, 'worker1');
    const annotator = new Annotator(page);
    await annotator.open('Object masks', 1);
    await annotator.polygon([
      [40, 40],
      [120, 40],
      [80, 110],
    ]);
    await annotator.isStored();
    await annotator.outline([
      [130, 130],
      [180, 130],
    ]);

    const pid = instance.process.pid ?? 0;
    for (const killed of [pid, ...childrenOf(pid)]) process.kill(killed, 'SIGKILL');
    await instance.ended;
    await annotator.outline([[150, 180]]);
    await page.keyboard.press('Enter');
    await annotator.tool('Brush');
    await annotator.drag([
      [60, 150],
      [100, 160],
    ]);
    await annotator.hasShapes(3);
    await expect(page.locator('[data-stored="stored"]')).toBeHidden();

    instance = startTessera(['start'], env);
    await instance.says(/is running at/);
    await expect(page.locator('[data-stored="stored"]')).toBeVisible({ timeout: 60_000 });
    expect(await annotator.draft()).toMatchObject([
      { kind: 'polygon' },
      { kind: 'polygon' },
      { kind: 'stroke' },
    ]);
    const before = JSON.stringify(await annotator.draft());
    await page.reload();
    await annotator.isReady();
    await annotator.hasShapes(3);
    expect(JSON.stringify(await annotator.draft())).toBe(before);
    await context.close();
  } finally {
    instance.process.kill('SIGTERM');
    await instance.ended;
    await place.remove();
  }
});
