import { newId } from '@/db/id';
import { area, decodeCounts, encodeCounts, rasterizeBox } from '@/lib/core/mask';
import { Annotator } from './support/annotator';
import { complaintsOf, expectQuiet } from './support/complaints';
import { query } from './support/database';
import { look } from './support/look';
import { signIn } from './support/people';
import { storedAnswer } from './support/stored-mask';
import { expect, test } from './support/story';

const modelId = newId();
let policyBefore: string | null = null;

const enterModel = (project: string, blob: string) =>
  query(
    `insert into models (id, project_id, name, blob, contract, state) values ($1, $2, $3, $4, '{}', 'promoted')`,
    [modelId, project, `Box ${modelId}`, blob],
  );

/** As the jobs of a promoted model and the hand-out leave it behind, for one open lease. */
async function promote(leaseId: string, box: [number, number, number, number]): Promise<void> {
  const [row] = await query<{ project: string; image: string; width: number; height: number; blob: string }>(
    `select i.project_id as project, p.id as image, p.width, p.height, p.blob
     from leases l join items i on i.id = l.item_id join images p on p.id = i.image_id where l.id = $1`,
    [leaseId],
  );
  if (!row) throw new Error('There is no such lease.');
  await enterModel(row.project, row.blob);
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
  const project = [gone[0]?.project];
  await query(`update projects set policy = policy - 'suggestions' where id = $1`, project);
  await query(`update stages set policy = policy - 'askNext' where project_id = $1`, project);
  await query(`update items set priority = 0 where project_id = $1 and priority = 5`, project);
  if (policyBefore !== null)
    await query('update projects set policy = $2 where id = $1', [...project, policyBefore]);
  policyBefore = null;
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
  await annotator.done();
  await annotator.submit();
  await expect.poll(async () => (await annotator.item()).state).toBe('answered');
  const { value, mask } = await storedAnswer(leaseId);
  expect(area(decodeCounts(mask as string, image.height, image.width))).toBe(3000);
  expect(value).toMatchObject({
    kind: 'mask',
    assists: [{ kind: 'model-outline', model: `Box ${modelId}`, clicks: 1, edited: false }],
  });
  expectQuiet(complaints);
});

test('a curator has the model choose what is asked next, takes it back, and leaves it to the policy', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const complaints = complaintsOf(page);
  const [given] = await query<{ project: string; slug: string; blob: string; policy: string }>(
    `select p.id as project, p.slug, p.policy::text as policy, min(i.blob) as blob from projects p join images i on i.project_id = p.id
     where p.slug = 'rival10-demo' group by p.id`,
    [],
  );
  if (!given) throw new Error('There is no demo.');
  const home = `/projects/${given.slug}`;
  policyBefore = given.policy;
  await enterModel(given.project, given.blob);
  // Of every image something else, so that there is something to choose by.
  await query(
    `insert into predictions (model_id, image_id, class_name, scores, uncertainty, feature)
     select $1, id, 'dog', '{0.5,0.5}', (n % 97) / 97.0, array[n % 7, n % 11, n % 13]::real[]
     from (select id, row_number() over (order by id) as n from images where project_id = $2) as counted`,
    [modelId, given.project],
  );
  await signIn(page, 'curator');
  await page.goto(`${home}/models/${modelId}`);
  const line = page
    .getByRole('table', { name: 'Open items by stage' })
    .getByRole('row', { name: /Object masks/ });
  const [chosen, byItself] = [line.getByRole('cell').nth(3), line.getByRole('cell').nth(4)];
  await expect(chosen).toHaveText('0');
  await expect(byItself).toHaveText('no');
  await page.getByLabel('Stage', { exact: true }).selectOption('Object masks');
  await page.getByLabel('Images', { exact: true }).fill('3');
  await page.getByLabel('Repeat when these are handed out').check();
  await page.getByRole('button', { name: 'Move to front' }).click();
  await expect(byItself).toHaveText('3 at a time');
  await expect(chosen).toHaveText('3', { timeout: 120_000 });
  // What is shown is what would be asked for again.
  await expect(page.getByLabel('Stage', { exact: true }).locator('option:checked')).toHaveText(
    'Object masks',
  );
  await expect(page.getByLabel('Repeat when these are handed out')).toBeChecked();
  await look(page, 'ask-next');
  await line.getByRole('button', { name: 'Reset' }).click();
  await expect(chosen).toHaveText('0');
  await expect(byItself).toHaveText('no');

  await page.goto(`${home}/crowd/policy`);
  const box = page.getByLabel('Let the promoted model select uncertain and diverse images');
  await expect(box).not.toBeChecked();
  await box.check();
  await page.getByLabel('Images per selection').fill('7');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const sure = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(sure).toBeVisible();
  await look(page, 'ask-next-policy');
  await sure.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(sure).toBeHidden();
  await page.goto(`${home}/models/${modelId}`);
  // A stage for which it was taken back here keeps that; the others follow the project.
  await expect(page.getByRole('row', { name: /Attributes/ }).getByText('7 at a time')).toBeVisible();
  await expect(byItself).toHaveText('no');
  expectQuiet(complaints);
});
