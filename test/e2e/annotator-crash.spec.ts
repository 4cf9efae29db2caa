import { Annotator } from './support/annotator';
import { killServer } from './support/kill-server';
import { signIn } from './support/people';
import { expect, test } from './support/story';

test('a server that is killed in the middle of a drawing and comes back has lost nothing', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 7);
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

  const server = killServer();
  try {
    await annotator.outline([[150, 180]]);
    await page.keyboard.press('Enter');
    await annotator.tool('Brush');
    await annotator.drag([
      [60, 150],
      [100, 160],
    ]);
    await annotator.hasShapes(3);
    await expect(page.locator('[data-stored="stored"]')).toBeHidden();
  } finally {
    server.back();
  }
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
});
