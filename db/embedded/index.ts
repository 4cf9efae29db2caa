export { childrenOf, commandLine, hasExited, isAlive, parentOf, startMoment } from './processes';
export { type EmbeddedServer, findEmbedded, freePort, startEmbedded } from './server';
