import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { trainingPreset } from '@/lib/core/training-spec';
import { readRates, usualRates } from '@/lib/services/training/report/estimate-time';
import { calibrate, isCalibrating, startCalibration } from '@/lib/services/training/trainers/calibration';
import { recordThisMachine } from '@/lib/services/training/trainers/installation';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { rita, startShort, trainingProject } from './story';

const db = useDatabase();
useHome();
const snapshot = `sha256:${'0'.repeat(64)}`;
const tiny = trainingPreset('tiny-64')?.make({
  arch: 'downsampled',
  method: 'pgd',
  id: 'x',
  snapshot,
  seed: 0,
});
if (!tiny) throw new Error('There is a preset tiny-64.');
let projectId = '';

beforeAll(async () => {
  projectId = await trainingProject(db(), 'calibration');
});

describe('a researcher who wants to know how long it takes here', () => {
  it('sees rates of a processor that was measured, then those of this machine', async () => {
    const usual = await readRates(db(), tiny);
    expect(usual).toMatchObject({ ...usualRates(tiny), epochs: 0, calibration: null });

    const measured = await calibrate(db(), { preset: 'tiny-64', seconds: 2 });
    expect(Math.min(measured.clean, measured.adversarial)).toBeGreaterThan(0);
    const known = await readRates(db(), tiny);
    expect(known).toMatchObject({ clean: measured.clean, adversarial: measured.adversarial });
    expect(known.calibration).toMatchObject({ device: 'cpu' });

    // What a machine tells about itself every minute does not wipe out what was measured on it.
    await recordThisMachine(db());
    expect((await readRates(db(), tiny)).clean).toBe(measured.clean);
  });

  it('is asked to wait while a run trains on the same machine', async () => {
    await startShort(db(), projectId);
    await db().update(tables.runs).set({ state: 'running' });
    await expect(startCalibration(db(), rita, { preset: 'tiny-64' })).rejects.toThrow(
      'Measure when it is over',
    );
    expect(await isCalibrating(db())).toBe(false);
    await db().update(tables.runs).set({ state: 'cancelled' });
    await startCalibration(db(), rita, { preset: 'tiny-64', projectId });
    expect(await isCalibrating(db())).toBe(true);
  });
});
