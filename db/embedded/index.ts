export { hasExited, isAlive, startMoment } from './processes';
export { type EmbeddedServer, findEmbedded, freePort, startEmbedded } from './server';
