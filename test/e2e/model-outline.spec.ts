import { expect, test } from '@playwright/test';
import { newId } from '@/db/id';
import { area, decodeCounts, encodeCounts, rasterizeBox } from '@/lib/mask';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { query } from './support/database';
import { look } from './support/look';
import { signIn } from './support/people';
import { storedAnswer } from './support/stored-mask';

const modelId = newId();

/** As the jobs of a promoted model and the hand-out leave it behind, for one open lease. */
async function promote(leaseId: string, box: [number, number, number, number]): Promise<void> {
  const [row] = await query<{ project: string; image: string; width: number; height: number; blob: string }>(
    `select i.project_id as project, p.id as image, p.width, p.height, p.blob
     from leases l join items i on i.id = l.item_id join images p on p.id = i.image_id where l.id = $1`,
    [leaseId],
  );
  if (!row) throw new Error('There is no such lease.');
  await query(
    `insert into models (id, project_id, name, blob, contract, state) values ($1, $2, $3, $4, '{}', 'promoted')`,
    [modelId, row.project, `Box ${modelId}`, row.blob],
  );
  await query(`update projects set policy = policy || '{"suggestions": {"isOn": true}}' where id = $1`, [
    row.project,
  ]);
  const counts = encodeCounts(rasterizeBox(box, row.height, row.width));
  await query(
    `insert into predictions (model_id, image_id, class_name, scores, uncertainty, masks)
     values ($1, $2, 'dog', '{0.5,0.5}', 1, $3)`,
    [modelId, row.image, JSON.stringify({ '': counts })],
  );
  await query(`insert into suggestions (lease_id, model_id, state) values ($1, $2, 'shown')`, [
    leaseId,
    modelId,
  ]);
}

test.afterEach(async () => {
  const gone = await query<{ project: string }>(
    'delete from models where id = $1 returning project_id as project',
    [modelId],
  );
  await query(`update projects set policy = policy - 'suggestions' where id = $1`, [gone[0]?.project]);
});

test('a worker looks at the outline of the model, takes it over, and the answer says so', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, 'worker1');
  const annotator = new Annotator(page);
  await annotator.open('Object masks', 6);
  const outline = page.getByRole('button', { name: /^Model’s outline/ });
  await expect(outline).toBeHidden();
  const { leaseId, image } = await annotator.item();
  await promote(leaseId, [40, 30, 60, 50]);
  await page.reload();
  await annotator.isReady();
  await expect(outline).toBeVisible();
  await look(page, 'model-outline-offered');
  await page.setViewportSize({ width: 1280, height: 800 });
  await annotator.hasShapes(0);
  await page.keyboard.press('Shift+O');
  await expect(page.getByRole('button', { name: /^Accept/ })).toBeVisible();
  await annotator.hasShapes(0);
  await look(page, 'model-outline-shown');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('Enter');
  await annotator.hasShapes(1);
  await annotator.isStored();
  await annotator.press('Submit');
  await expect.poll(async () => (await annotator.item()).state).toBe('answered');
  const { value, mask } = await storedAnswer(leaseId);
  expect(area(decodeCounts(mask as string, image.height, image.width))).toBe(3000);
  expect(value).toMatchObject({
    kind: 'mask',
    assists: [{ kind: 'model-outline', model: `Box ${modelId}`, clicks: 1, edited: false }],
  });
  expectQuiet(complaints);
});
