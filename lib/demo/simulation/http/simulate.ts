import { TesseraError } from '@/lib/core/errors';
import { castCrew, type Mix } from '../crew';
import { KnownScenes, scenePresetOf } from '../known-scenes';
import { Client, type Fetch } from './client';
import { Curator, judgeLabels, settledOf } from './curator';
import { byBehaviour, countRepeats, type SimulationReport, stopped } from './report';
import { runCrowd } from './run-crowd';
import { Traffic } from './traffic';

/** Who runs the project that is simulated. */
export type SignIn = { key: string } | { email: string; password: string };

export interface Simulation {
  url: string;
  curator: SignIn;
  project: string;
  workers: number;
  seconds: number;
  mix: Mix;
  seed: number;
  /** How many times faster than people the crowd works; Infinity: without any waiting. */
  speed: number;
  fetch?: Fetch;
  onProgress?: (text: string) => void;
}

/** Lets a crowd into a project over HTTP, has it work, and judges what came of it. */
export async function simulate(simulation: Simulation): Promise<SimulationReport> {
  const { seed, workers, onProgress } = simulation;
  const traffic = new Traffic();
  const curator = new Curator(await curatorClient(simulation, traffic), simulation.project);
  const project = await curator.project();
  const preset = scenePresetOf(project.schema?.id ?? '');
  const scenes = preset && new KnownScenes(preset);
  onProgress?.('reading the pictures');
  const pictures = await curator.imagesByBlob();
  const run = await runCrowd({
    ...simulation,
    traffic,
    project,
    token: await curator.invite(workers),
    crew: castCrew(simulation.mix, workers, seed),
    sceneOf: (picture) => {
      const image = pictures.get(picture);
      return (image && scenes?.of(image)) ?? null;
    },
  });
  const { careers, floor, seconds, requests } = run;
  onProgress?.('comparing the labels with the truth');
  const touched = new Set(floor.done.flatMap(({ picture }) => pictures.get(picture)?.id ?? []));
  const settled = await settledOf(curator, [...touched]);
  const { labels, quality } = judgeLabels(settled, floor.done, pictures, scenes);
  const earned = careers.reduce((sum, career) => sum + career.earnedMicro, 0n);
  return {
    seed,
    seconds: tenth(seconds),
    workers,
    items: floor.done.filter(({ kind }) => kind === 'work').length,
    examItems: floor.done.filter(({ kind }) => kind !== 'work').length,
    doubles: settled.filter(({ isDouble }) => isDouble).length,
    repeats: countRepeats(floor.done),
    leaks: Object.fromEntries(floor.watch.hints),
    requests,
    requestsPerSecond: tenth(requests / seconds),
    retries: traffic.retries,
    errors: { count: traffic.failures.length, examples: traffic.failures.slice(0, 10) },
    latency: traffic.latencies(),
    byBehaviour: byBehaviour(careers),
    caught: stopped(careers, true),
    wronglyRemoved: stopped(careers, false),
    quality,
    cost: { micro: String(earned), perLabelMicro: labels > 0 ? String(earned / BigInt(labels)) : null },
  };
}

const tenth = (value: number) => Math.round(10 * value) / 10;

async function curatorClient({ url, curator, fetch: own }: Simulation, traffic: Traffic): Promise<Client> {
  const headers: Record<string, string> = 'key' in curator ? { authorization: `Bearer ${curator.key}` } : {};
  const client = new Client(url, traffic, own ?? fetch, headers);
  if ('email' in curator) {
    await client.signIn(curator.email, curator.password).catch((error: Error) => {
      throw new TesseraError('unavailable', `${curator.email} cannot sign in at ${url}: ${error.message}`);
    });
  }
  return client;
}
