/** Database servers that hold the same data. */
export interface DatabaseCluster {
  readonly nodes: readonly ClusterNode[];
  /** Ends all of them and removes their data. */
  dispose(): Promise<void>;
}

/** One server of a cluster, which can be lost in the ways in which servers are. */
export interface ClusterNode {
  /** The shop's database on this node, over TCP; the same after every restart. */
  readonly url: string;
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>;
  /** Ends it as an operator would. */
  stop(): Promise<void>;
  /** Starts it again after its end, and waits until it is a member again that has all data. */
  restart(): Promise<void>;
  /** Stops it where it is, with SIGSTOP: it keeps its connections and says nothing. */
  freeze(): void;
  /** Lets it go on, and waits until it is a member again. */
  thaw(): Promise<void>;
  /** Cuts it off from the others, and not from the service. */
  cutOff(): Promise<void>;
  /** Connects it with the others again, and waits until it is a member again. */
  connect(): Promise<void>;
}

/** The shop's database on every cluster. */
export const DATABASE_NAME = "shop";
