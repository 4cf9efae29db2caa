import { area, decodeCounts } from '@/lib/core/mask';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { look } from './support/look';
import { signIn } from './support/people';
import { storedAnswer } from './support/stored-mask';
import { expect, test } from './support/story';

test('what a model suggests at a click is shown, refused, asked for again, accepted, and recorded as such', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 5);
  await annotator.tool('Smart object');
  const accept = page.getByRole('button', { name: /^Accept/ });
  await page.mouse.click(...(await annotator.onScreen([128, 128])));
  // The first question starts the process of the models and loads them.
  await expect(accept).toBeVisible({ timeout: 30_000 });
  await annotator.hasShapes(0);
  await page.getByRole('button', { name: /^Reject/ }).click();
  await expect(accept).toBeHidden();
  await page.mouse.click(...(await annotator.onScreen([100, 140])));
  await expect(accept).toBeVisible({ timeout: 30_000 });
  await look(page, 'annotator-suggestion');
  await page.setViewportSize({ width: 1280, height: 800 });
  await accept.click();
  // As many as the picture has bright places.
  await expect.poll(() => annotator.shapes()).toBeGreaterThan(0);
  await annotator.isStored();
  const { leaseId, image } = await annotator.item();
  await annotator.done();
  await annotator.submit();
  await expect.poll(async () => (await annotator.item()).state).toBe('answered');
  const { value, mask } = await storedAnswer(leaseId);
  expect(area(decodeCounts(mask as string, image.height, image.width))).toBeGreaterThan(0);
  expect(value).toMatchObject({
    kind: 'mask',
    assists: [{ kind: 'point', clicks: 1, edited: false, model: expect.stringMatching(/^tiny-encoder@/) }],
  });
  expectQuiet(complaints);
});
