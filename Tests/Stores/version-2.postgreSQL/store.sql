--
-- PostgreSQL database dump
--

\restrict aMJwnlDaPUqNlrpufwkwD19AWpL3EvSlpSLDYMdg0jaKX8Shf7vdsxRgXgTKLOA

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.accounts (
    enterprise text NOT NULL,
    type text NOT NULL,
    id text NOT NULL,
    person bytea,
    muted_until bigint,
    replaced_by_type text,
    replaced_by_id text
);


ALTER TABLE public.accounts OWNER TO bank;

--
-- Name: activations; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.activations (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    issued bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint,
    code bytea,
    claim_digest bytea,
    claim_offer bytea,
    failures bytea NOT NULL
);


ALTER TABLE public.activations OWNER TO bank;

--
-- Name: archived_transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.archived_transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint NOT NULL,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.archived_transactions OWNER TO bank;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.attempts (
    device bytea NOT NULL,
    id bytea NOT NULL,
    made bigint NOT NULL,
    fingerprint bytea NOT NULL,
    verdict text NOT NULL
);


ALTER TABLE public.attempts OWNER TO bank;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.audit (
    sequence bigint NOT NULL,
    moment bigint NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    enterprise text,
    account_type text,
    account_id text,
    subject text NOT NULL,
    detail text NOT NULL,
    traces bytea NOT NULL,
    hash bytea NOT NULL
);


ALTER TABLE public.audit OWNER TO bank;

--
-- Name: bank_calls; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_calls (
    enterprise text NOT NULL,
    name text NOT NULL,
    made bigint NOT NULL,
    fingerprint bytea NOT NULL,
    outcome text NOT NULL
);


ALTER TABLE public.bank_calls OWNER TO bank;

--
-- Name: bank_tokens; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_tokens (
    id bytea NOT NULL,
    secret_digest bytea NOT NULL,
    name text NOT NULL,
    enterprise text,
    role text NOT NULL,
    created bigint NOT NULL,
    expiry bigint NOT NULL,
    revoked bigint
);


ALTER TABLE public.bank_tokens OWNER TO bank;

--
-- Name: countersign_commits; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_commits (
    writer text NOT NULL,
    place bigint NOT NULL,
    number bigint NOT NULL
);


ALTER TABLE public.countersign_commits OWNER TO bank;

--
-- Name: countersign_store; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_store (
    id bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT countersign_store_id_check CHECK ((id = 1))
);


ALTER TABLE public.countersign_store OWNER TO bank;

--
-- Name: credentials; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.credentials (
    device bytea NOT NULL,
    kind bigint NOT NULL,
    id bytea NOT NULL,
    generation bigint NOT NULL,
    counter bigint NOT NULL,
    standing bigint NOT NULL,
    confirmed_in bigint NOT NULL,
    seed bytea NOT NULL,
    copy_noticed bigint NOT NULL,
    counted_with bytea,
    failures_in_a_row bigint NOT NULL,
    locks_in_a_row bigint NOT NULL,
    locked_until bigint,
    blocked bigint NOT NULL,
    failures bytea NOT NULL,
    CONSTRAINT credentials_counter_check CHECK ((counter >= 0)),
    CONSTRAINT credentials_generation_check CHECK ((generation >= 0))
);


ALTER TABLE public.credentials OWNER TO bank;

--
-- Name: devices; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.devices (
    id bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    public_key bytea,
    token text,
    name text NOT NULL,
    standing bigint NOT NULL,
    activated bigint NOT NULL,
    notifications text NOT NULL,
    CONSTRAINT devices_check CHECK (((public_key IS NULL) <> (token IS NULL)))
);


ALTER TABLE public.devices OWNER TO bank;

--
-- Name: enterprises; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.enterprises (
    id text NOT NULL,
    policy text NOT NULL,
    policy_version bigint NOT NULL
);


ALTER TABLE public.enterprises OWNER TO bank;

--
-- Name: imports; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.imports (
    name text NOT NULL,
    line bigint NOT NULL,
    digest bytea NOT NULL,
    accounts bigint NOT NULL,
    tokens bigint NOT NULL,
    rejected bigint NOT NULL
);


ALTER TABLE public.imports OWNER TO bank;

--
-- Name: logins; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.logins (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    device bytea NOT NULL,
    type text NOT NULL,
    data_digest bytea NOT NULL,
    granted bigint NOT NULL,
    redeemed bigint
);


ALTER TABLE public.logins OWNER TO bank;

--
-- Name: outbox; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    target bigint NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    tries bigint NOT NULL,
    due bigint NOT NULL,
    state bigint NOT NULL
);


ALTER TABLE public.outbox OWNER TO bank;

--
-- Name: rejected_rows; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.rejected_rows (
    import text NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL
);


ALTER TABLE public.rejected_rows OWNER TO bank;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    number bytea,
    state bigint NOT NULL,
    closed bigint,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.transactions OWNER TO bank;

--
-- Name: verifier; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.verifier (
    id bigint NOT NULL,
    store bytea NOT NULL,
    epoch bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_moment bigint NOT NULL,
    audit_hash bytea NOT NULL,
    fingerprint_key bytea,
    least_key_version bigint NOT NULL,
    is_copy bigint NOT NULL,
    CONSTRAINT verifier_audit_moment_check CHECK ((audit_moment >= 0)),
    CONSTRAINT verifier_audit_sequence_check CHECK ((audit_sequence >= 0)),
    CONSTRAINT verifier_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT verifier_id_check CHECK ((id = 1)),
    CONSTRAINT verifier_is_copy_check CHECK ((is_copy = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT verifier_least_key_version_check CHECK ((least_key_version >= 0))
);


ALTER TABLE public.verifier OWNER TO bank;

--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.accounts (enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id) FROM stdin;
bank	main	4711	\\x22d823c08bc761f78cfb3d65d1db9d9d	1800086400000	\N	\N
bank	main	4712	\\x22d823c08bc761f78cfb3d65d1db9d9d	\N	\N	\N
bank	main	4715	\N	\N	\N	\N
bank	main	4714	\N	\N	main	4715
\.


--
-- Data for Name: activations; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.activations (id, enterprise, account_type, account_id, issued, deadline, state, closed, code, claim_digest, claim_offer, failures) FROM stdin;
8YEQ0279VM	bank	main	4711	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
4GYHD1A9QD	bank	main	4712	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
S4Q7HWV9PZ	bank	main	4714	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
FKX59VTP9V	bank	main	4712	1800691200000	1800777600000	0	\N	\\x010000000100889289223cc27a42220120a66095007b443e40bc1d761d3ee11420ee744c1cf2c683896ca5f03bf26511b6578308f75c5075	\N	\N	\\x
\.


--
-- Data for Name: archived_transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.archived_transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, state, closed, device, detail, evidence) FROM stdin;
01a3185c5000587cdf1a87a7340a76df	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030353837636466316138376137333430613736646603000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f0000000800000000000000001000000010bcab9e26f1d423c507a5f4b474131332	2	1800000000000	1800000120000	1	1800000000000	\\x792bc97b996e7f7d6ec677e98862fd3c	userPIN	\\x8515c16da0d1e3f9a907b1000d060b7fa0c4bca71dafc98e2a64262d6ae808071882ee2f108e58d4ec74e49d46c69b84246764b15b351b1ed14cbb66521c7d110000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031792bc97b996e7f7d6ec677e98862fd3c000000203913e42ecd31f15b1966311ad61a92f3bcd348381ce896beb9ef69b5bee1183da50000000475736572000000000000000000000000000000000000000000000000
01a3185c50002a6837fb64620f21cc3a	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030326136383337666236343632306632316363336103000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f00000008000000000000000010000000106f05f227c8d833e4d89def79d559fe9d	2	1800000000000	1800000120000	2	1800000000000	\\x792bc97b996e7f7d6ec677e98862fd3c	notMe	\\x34f29b503600e3408a3ff4ccc9840dc112e3bb7d2518bcf411e9501c921167415de70a981f651e00ca764de0427843ddf29d14dc4235145344abbd55859e95e00000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031792bc97b996e7f7d6ec677e98862fd3c00000020b622d0cc87c0a0325c215ca867b51e9da4a535617a0f30530cd3eca0b8b3c1f65900000006646576696365000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.attempts (device, id, made, fingerprint, verdict) FROM stdin;
\\x792bc97b996e7f7d6ec677e98862fd3c	\\x9837728fc972156b00628d064d57e9c2	1800691200000	\\x16be9f44d09dcde00a7fdc1e90211c9c4d23a905f1b162b2256a1aac7610c058	wrong counted 4
\\x792bc97b996e7f7d6ec677e98862fd3c	\\xcc96e4e234e1adf9f0134bf95bdb5076	1800691200000	\\x1158ba68ac1c80a57bd7646c138089b2ebe8ffc629f0367e961373d1638ab88e	accepted 01a3418f3000a369907fcaffcac50b9c
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.audit (sequence, moment, actor, kind, enterprise, account_type, account_id, subject, detail, traces, hash) FROM stdin;
1	1800000000000	operator	enterprise.created	\N	\N	\N	bank		\\x0000000a02020000000462616e6b00000000000000205e935e79ff0390e01964d76081e35b982b57aec2070666ce17836d1ade68ebf1	\\x6c7ff001119f99017ec94c6bebcb0945d5a49362b10c0fcf925af505e6f6e203
2	1800000000000	operator	account.created	bank	main	4711	main/4711		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731310000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x1030de1899a16b5e04b5b36ea70bf2ecf98d79eafc1145a3ef6d7efdca7ebe6e
3	1800000000000	token:core	activation.issued	bank	main	4711	8YEQ0279VM		\\x0000001004020000000a3859455130323739564d00000000000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7	\\x26c40caae205d403603760f4b78128b9157e29c1e8f8b2074d99fd2b7cf95eab
4	1800000000000	verifier	activation.claimed	bank	main	4711	8YEQ0279VM		\\x	\\x056548d8ffcc6966f66c8468190f034457247a0730d93f7547d993659c68356e
5	1800000000000	device:792bc97b996e7f7d6ec677e98862fd3c	device.activated	bank	main	4711	792bc97b996e7f7d6ec677e98862fd3c	8YEQ0279VM	\\x0000001004020000000a3859455130323739564d000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7000000202c165d7803187e56d38d242a01dcba6a164ad8b7254879acc5e3d4b4d83d490a00000016050300000010792bc97b996e7f7d6ec677e98862fd3c000000000000002010f1e833addac77bb56e352220d0e0f649f0cd757f8f77e4e3b7495d6bbc7bdd0000001f060300000010792bc97b996e7f7d6ec677e98862fd3c0100000000000000010000000000000020127681894f5cae4043c8e13e0e935b6fd3490e43a7a6b2010481cea1e60a4a9f0000001f060300000010792bc97b996e7f7d6ec677e98862fd3c01000000000000000200000000000000202951e804ee89dc7ced966525872ed5745cf1dbd17a9fef9e2c74dc756839d570	\\xa9bc705f0db97e3a0b78cb461b508a16ff2d4397e4c1d4c905896f0cee6ad3ad
6	1800000000000	token:core	device.token-added	bank	main	4711	01a3185c5000d6db1f25e081c58661e5	A-1	\\x0000001605030000001001a3185c5000d6db1f25e081c58661e50000000000000020b86ff05a71415f26e54cbbba03446c7f405b21f83edcc1ac99edce12642a892f0000001f06030000001001a3185c5000d6db1f25e081c58661e501000000000000000200000000000000205cfe824eaae02a43d34a313941bb920d290aec16b0acf1d60f0ee47a7071824f	\\x4a29571a0358bea442372f9f80cfbcfb6cf96d50a910d43b4ea6bd81b2ab9431
7	1800000000000	token:core	credential.code-accepted	bank	main	4711	9f3ccf5325fd608d28ca5e717d8cd44a		\\x0000001f06030000001001a3185c5000d6db1f25e081c58661e5010000000000000002000000205cfe824eaae02a43d34a313941bb920d290aec16b0acf1d60f0ee47a7071824f0000002046bd03dc332de31bf38bf3b7ab6b70df67d1aeaa2e954031ffff1381ba43bb060000002f0e020000000462616e6b020000002066356632636531623339643133303365366235613362396135666662313232310000000000000020da2e66abe0f05d560456ee481aeca7df900725236cfe6e6765a8ce98bc26526c	\\x3a16fbf1d750a3951f7a11da0fd0dc40ab00077c25b8be560e32d8dd805e420a
8	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000587cdf1a87a7340a76df	notified	\\x000000260802000000203031613331383563353030303538376364663161383761373334306137366466000000000000002090a14de3fc4baebc45e0d032b77d555f118541ecc7fdb5026f3557c40b257357	\\xc340c5ee5b7d4a7ebfc2e25beb4365f54c030dc52ad9e5540a7c70b17a198523
9	1800000000000	device:792bc97b996e7f7d6ec677e98862fd3c	transaction.approved	bank	main	4711	01a3185c5000587cdf1a87a7340a76df	userPIN	\\x000000260902000000203031613331383563353030303538376364663161383761373334306137366466000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db8240267000000201f6d4633cb11d2934b133121a0f549f1183e365845007c2d99435d2022b8235f0000001f060300000010792bc97b996e7f7d6ec677e98862fd3c01000000000000000100000020127681894f5cae4043c8e13e0e935b6fd3490e43a7a6b2010481cea1e60a4a9f000000207e3f2d07fc6a03c40ed4cfefa5899194994a3fd38baf8018930dd9752b15f8160000002b0b0300000010792bc97b996e7f7d6ec677e98862fd3c0300000010894eff1f50611e774aeab4b1915a2a0c0000000000000020b722098c8b5efa8a13b60df0002b69167813af4039739561f5ca88e4553baed9	\\x08069a94d135be4f2585e207a77fdc5cb265d66636d0da0cc0fb0d4e37972a1d
10	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c50002a6837fb64620f21cc3a	notified	\\x00000026080200000020303161333138356335303030326136383337666236343632306632316363336100000000000000206e09234e99707d6110950d4089f6f4d9545c2da3b64b782a4b9b62a97f7ef9e3	\\xb163827e072275713ef50761afec2f0a3dfd574b51db12894ddf7c1dd4b2e06b
11	1800000000000	device:792bc97b996e7f7d6ec677e98862fd3c	transaction.rejected	bank	main	4711	01a3185c50002a6837fb64620f21cc3a	notMe	\\x000000260902000000203031613331383563353030303261363833376662363436323066323163633361000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db82402670000002093a188be53f2e999d9c4bb46f69b63054f2c8462528f1379b6953ebc3b806ab80000001c03020000000462616e6b02000000046d61696e02000000043437313100000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c	\\xc53abacd88c99fa858d707a11591dea725a44a6b311963e66a6678f45cbab391
12	1800000000000	device:792bc97b996e7f7d6ec677e98862fd3c	transaction.denied-by-person	bank	main	4711	01a3185c50002a6837fb64620f21cc3a		\\x0000001f060300000010792bc97b996e7f7d6ec677e98862fd3c010000000000000002000000202951e804ee89dc7ced966525872ed5745cf1dbd17a9fef9e2c74dc756839d570000000206fdcfd215dd044f7dfdf518237dd30cc940920ad1c8a5a7fdbd47bfeedd8382c0000002b0b0300000010792bc97b996e7f7d6ec677e98862fd3c03000000101be2b408fc3846bf7466d6c0c5d3385300000000000000209515ad6090fae02fbe8c53a9af92a18ffb54ed2d14892c49b64ab13b98e70764	\\x0a4461e590ac574f87b1424b249bbc9e947caa0bc91e53e1e9dfcb7e77592a79
13	1800000000000	token:core	account.created	bank	main	4712	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731320000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\xa3c0e7b1c4f21ce0aca6ba524e9e4c2399fc8af6f7dd21bb09ea15a5e828bc09
14	1800000000000	token:core	account.linked	bank	main	4711	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c00000020bdc5641220d52ab72b4e04bd78aaa12f05e6389ecbb3776b69a2b39fd37acb090000001c03020000000462616e6b02000000046d61696e02000000043437313200000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020344a5fe212a4500f7c32bdeeef0ba52493d118e41efed9aed53aa46936ca9bec	\\x5011215bd748e8e59fae52dbf18651c68701eb3d2f84577d263e8846b56143f7
15	1800000000000	token:core	activation.issued	bank	main	4712	4GYHD1A9QD		\\x0000001004020000000a34475948443141395144000000000000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b6	\\x9b9c4af214b91dab092e66f26c8877c8773b16e6e70edb51bfdc7d342eb66c89
16	1800000000000	verifier	activation.claimed	bank	main	4712	4GYHD1A9QD		\\x	\\x1f3df830ac0fef404b90ac5adb9afe3c408ac1a75e42b16243dec7883ff45609
17	1800000000000	device:db0f1d0396b91f4a11b2ccaeff68d48a	device.activated	bank	main	4712	db0f1d0396b91f4a11b2ccaeff68d48a	4GYHD1A9QD	\\x0000001004020000000a344759484431413951440000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b600000020cc8d0c2305410560c547d0a1e3ddafc05d68bda65412a5a4575f63f263aa273700000016050300000010db0f1d0396b91f4a11b2ccaeff68d48a0000000000000020e1c4e4b2277862cb7ba962b752b93e5265f7808b9864605c49456dadc0b6ae530000001f060300000010db0f1d0396b91f4a11b2ccaeff68d48a0100000000000000010000000000000020d52c1bebc65646e6a99029b9d90c9476dde55e8472c574342c0c838559c8b8ca0000001f060300000010db0f1d0396b91f4a11b2ccaeff68d48a010000000000000002000000000000002099a96cd0af7c09d72675192461346672eec8a2b83547be2ed70e92227262acd5	\\x4924a3874ef0b267bade3e1a900e4978a70edb107273c1ffc8143b69946e87b2
18	1800000000000	device:db0f1d0396b91f4a11b2ccaeff68d48a	device.activated	bank	main	4711	a1b7d8888129f91cf6aaf726c19c4457	4GYHD1A9QD	\\x00000016050300000010a1b7d8888129f91cf6aaf726c19c445700000000000000203ff57deb6d1dacb4ad69774ceed5864f0bb505759f8b09b38e9fe962127d28e70000001f060300000010a1b7d8888129f91cf6aaf726c19c44570100000000000000010000000000000020c9933f2c734715fbd7c981f385a233d50d893e963a9ec6c67a7947283674a6e80000001f060300000010a1b7d8888129f91cf6aaf726c19c4457010000000000000002000000000000002029249f57347e8171e9e061b3e7005faffbe97792771baf2edc8f59a9d122eac8	\\xe8b289714d804c06100869954d5a36fd394d760ddb009f67451e2d0a8eaad690
19	1800000000000	token:core	account.created	bank	main	4714	main/4714		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731340000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\xfdee4ba992de20c6ad5b491dcea37359630aeb379095c70acd11ce004cf11afb
20	1800000000000	token:core	activation.issued	bank	main	4714	S4Q7HWV9PZ		\\x0000001004020000000a5334513748575639505a00000000000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4	\\xf9ca36b8f1317b3616fd9bd1c76c95096db5ac812a81596baebfcfb16697609b
21	1800000000000	verifier	activation.claimed	bank	main	4714	S4Q7HWV9PZ		\\x	\\x17c8891d7d635ea9360bc0e71366dfa88db1ba880baec921dafafb81684c63fb
22	1800000000000	device:33e7518c17e4b71315a9014e850e6d86	device.activated	bank	main	4714	33e7518c17e4b71315a9014e850e6d86	S4Q7HWV9PZ	\\x0000001004020000000a5334513748575639505a000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4000000202b8b8df1e67f17d9b6742f0ebf810522131dca58f70b67867231cd62bc8e229f0000001605030000001033e7518c17e4b71315a9014e850e6d8600000000000000202f89d13eb547b008a7552a99eb8facac59b8dd58c0b6eb3cd0bc496fb19451ef0000001f06030000001033e7518c17e4b71315a9014e850e6d860100000000000000010000000000000020e4299945ba9b1977773ee06e3779e8a52e394d7f95bfa2d96e8ea26b25c7c08d0000001f06030000001033e7518c17e4b71315a9014e850e6d8601000000000000000200000000000000200fa29e2c9e3d4286e043eb606a1125ddad0d90fca27410d24f3e2a398b5bbcdc	\\x0102f5281675991475c4aacf2318610d48aabac0f8724eedd3a471e86c376eb6
23	1800000000000	token:core	account.created	bank	main	4715	main/4715		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731350000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b811190000001605030000001033e7518c17e4b71315a9014e850e6d86000000202f89d13eb547b008a7552a99eb8facac59b8dd58c0b6eb3cd0bc496fb19451ef0000002091e2fdf2e4d8f31454854b5a42062b13d8a610e587ecddb40c5ee6ac97a51a4a0000001f06030000001033e7518c17e4b71315a9014e850e6d8601000000000000000100000020e4299945ba9b1977773ee06e3779e8a52e394d7f95bfa2d96e8ea26b25c7c08d00000020e4299945ba9b1977773ee06e3779e8a52e394d7f95bfa2d96e8ea26b25c7c08d	\\xdefe7ebdc7a097feb2ce62764c26eb57f855e80fa93da370f2ad60a30bce2683
24	1800000000000	token:core	account.replaced	bank	main	4714	main/4715		\\x0000001f06030000001033e7518c17e4b71315a9014e850e6d86010000000000000002000000200fa29e2c9e3d4286e043eb606a1125ddad0d90fca27410d24f3e2a398b5bbcdc000000200fa29e2c9e3d4286e043eb606a1125ddad0d90fca27410d24f3e2a398b5bbcdc0000001c03020000000462616e6b02000000046d61696e02000000043437313400000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020696aea2db0b5fd3ff121430ba14fcb8f5611ef51f3be78041fa73d4787369a42	\\x53164ca4be0bb581a7a8c588c0c312ac5caf65979864225ec8c05108ab2d5ec1
25	1800000000000	device:33e7518c17e4b71315a9014e850e6d86	credential.rekeyed	bank	main	4715	d0c869168e0a913bfd40ccda5ca3ddda	1	\\x0000001f06030000001033e7518c17e4b71315a9014e850e6d8601000000000000000100000020e4299945ba9b1977773ee06e3779e8a52e394d7f95bfa2d96e8ea26b25c7c08d00000020d2a55a4176ac103d8cf9cbf2ce790640a99b1ce8860a3a119cf553241b9534bb0000002b0b030000001033e7518c17e4b71315a9014e850e6d8603000000108757d5708675249ef59d712fe7055471000000000000002036819c9823cccc3c6290ab368eb95eca0a94479b986755a4027eaf62ccd048b9	\\xe6eee6c868b5b58ada98d775d7409913dc7f816769adf7df2291033431c68192
26	1800691200000	device:792bc97b996e7f7d6ec677e98862fd3c	credential.code-refused	bank	main	4711	efd58fa831b4ccaefb4f55a3edd3ed28		\\x0000001f070300000010792bc97b996e7f7d6ec677e98862fd3c010000000000000001000000208fe73c51adc7fe99c2f9b7d4a3d7d3e60242dc69cda6dd9c40209f6854308c6c0000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002b0b0300000010792bc97b996e7f7d6ec677e98862fd3c03000000109837728fc972156b00628d064d57e9c20000000000000020c865401bab601afe094c554167612dc2aecb4d2877738973c7e278659bf21012	\\xd03bfd0d6fe0fdfdd6e4859c0bc9d37f30c23b208a420d09bbd1d1c2e7036394
27	1800691200000	device:792bc97b996e7f7d6ec677e98862fd3c	credential.code-accepted	bank	main	4711	efd58fa831b4ccaefb4f55a3edd3ed28	login	\\x000000260a020000002030316133343138663330303061333639393037666361666663616335306239630000000000000020eb4cb7000889844cdabedd027239bf43eba6ea823901b0683c603f23aa0069250000001f060300000010792bc97b996e7f7d6ec677e98862fd3c010000000000000001000000207e3f2d07fc6a03c40ed4cfefa5899194994a3fd38baf8018930dd9752b15f81600000020d1a47ffcc433b93f4584cf0215e322354321b3b2af803bfe148a693aa7988fe60000001f070300000010792bc97b996e7f7d6ec677e98862fd3c0100000000000000010000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002026d113af9b4db7aef3d9fee16c7b1877f33e963d18c6dd1acd9fe7aa3bd6453e0000002b0b0300000010792bc97b996e7f7d6ec677e98862fd3c0300000010cc96e4e234e1adf9f0134bf95bdb50760000000000000020a0a617e83fb86622c9e481badac6cb6e1cf8bd772b5765a5d09f457a7c42a9fc	\\x3f64611e85eee1e989c5ed47b0b62a3e4297fe5e79a1ba5131c09b030550b7c1
28	1800691200000	token:core	activation.issued	bank	main	4712	FKX59VTP9V		\\x0000001004020000000a464b583539565450395600000000000000203e48fbfc184401809e2849a463ed9353aff2532cfbc83771c21bdc4b5fa8ccb6	\\x04c89b1104f56c88b1742dbf478e8540336539bd919bcaa7cb9842828abed9de
29	1800691200000	token:core	transaction.created	bank	main	4711	01a3418f30004d12445e645a0a2051a0	notified	\\x00000026080200000020303161333431386633303030346431323434356536343561306132303531613000000000000000201680796af3f34b8fd135c2732768bc63afb1bf3d380d0c31cffcebcab60404e8	\\x3acf6ad53f4760804b2377f411aff195f79477abfa735c049f679eb3a981a3cf
\.


--
-- Data for Name: bank_calls; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_calls (enterprise, name, made, fingerprint, outcome) FROM stdin;
\.


--
-- Data for Name: bank_tokens; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_tokens (id, secret_digest, name, enterprise, role, created, expiry, revoked) FROM stdin;
\.


--
-- Data for Name: countersign_commits; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_commits (writer, place, number) FROM stdin;
\.


--
-- Data for Name: countersign_store; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_store (id, version) FROM stdin;
1	2
\.


--
-- Data for Name: credentials; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.credentials (device, kind, id, generation, counter, standing, confirmed_in, seed, copy_noticed, counted_with, failures_in_a_row, locks_in_a_row, locked_until, blocked, failures) FROM stdin;
\\x01a3185c5000d6db1f25e081c58661e5	2	\\x9f3ccf5325fd608d28ca5e717d8cd44a	0	4	1	0	\\x0100000001308361dfabf881f895c2ebfda8683efe89e08c5add2e55fb8385ebfcf40831c36abd0b86b90f73885f910346708541f8	0	\N	0	0	\N	0	\\x
\\x792bc97b996e7f7d6ec677e98862fd3c	2	\\x878a8a00e6152fb642c0a037a90ec262	0	1	1	0	\\x0100000001b26e2e8120675434e3e8bad84da044b737ad86aaf4d38f95359ff4179366467a6726658f78cc65466b0f126dd17c031092400d87b6a40d15cbca9123	0	\N	0	0	\N	0	\\x
\\xdb0f1d0396b91f4a11b2ccaeff68d48a	1	\\x3dac63cc3104915472a6d36d7b134d6b	0	0	1	0	\\x0100000001c6f8c4d5cb5b9d3e6aa9e08596f81aa71681a49870f31e4801c56e4d6221a69b45c807b9bc3e1a1e03ade228e0258481dc996625d6e843c6e745b2af	0	\N	0	0	\N	0	\\x
\\xdb0f1d0396b91f4a11b2ccaeff68d48a	2	\\xc28f64b047a20bbe66152ec625f1f441	0	0	1	0	\\x01000000014b46bcf06b2ae0786f22120ef9a3c6f0704eea701f77f499aa6fc4f0c5b122c173cd41b2ae834551e01a1f80c84adbc6387c90aa2e5c46b9affde721	0	\N	0	0	\N	0	\\x
\\xa1b7d8888129f91cf6aaf726c19c4457	1	\\xd47a5f41b069678a6647699b700335bb	0	0	1	0	\\x0100000001cfab72d62a059af0ed47e8afc3866beb2c6977640b7687ced603b227240b97c0ff5f2561fd4f0b2a29c66a70a93c3009bb68ccf61f0ae32877af6cb9	0	\\xdb0f1d0396b91f4a11b2ccaeff68d48a	0	0	\N	0	\\x
\\xa1b7d8888129f91cf6aaf726c19c4457	2	\\x98d7c4047e071601b425c27fdc42d5c0	0	0	1	0	\\x0100000001f35297e0cdd440677cc4282bf76d1e89be567c19a0241d70a5de52662bf0e391d0abe8d952c5cfce547946aa36bbb984cc440b459f26bac75d3d683c	0	\N	0	0	\N	0	\\x
\\x33e7518c17e4b71315a9014e850e6d86	2	\\x0797ec59c760c3d1607aa62a3ce2ccd1	0	0	1	0	\\x010000000185533380f02a409f218779e5cb01f706fb4837c67da461aa2b10d252b8bf7b238dd601f0e92b05f1e83bc7c708244de6393e89fbd652ef3605475fd9	0	\N	0	0	\N	0	\\x
\\x33e7518c17e4b71315a9014e850e6d86	1	\\xd0c869168e0a913bfd40ccda5ca3ddda	1	1	1	0	\\x0100000001543f86487bf7de6e712be2e4bd1b2427166d8c6342c43a6b3043314ef518e305072d479eb25ac71e1c65ca0cf803931315c9efad510d72a1d799665b	0	\N	0	0	\N	0	\\x
\\x792bc97b996e7f7d6ec677e98862fd3c	1	\\xefd58fa831b4ccaefb4f55a3edd3ed28	0	2	1	0	\\x01000000012c417de94ef21093dcb37350a453cbd0effb15ec32a60ee3dc4342d6c10d6303d3bfacf34079a2c4b8057fa5c6bba7a0d16543665607c0c718d14bc9	0	\N	0	0	\N	0	\\x000001a3418f3000
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.devices (id, enterprise, account_type, account_id, public_key, token, name, standing, activated, notifications) FROM stdin;
\\x792bc97b996e7f7d6ec677e98862fd3c	bank	main	4711	\\x04f317964f0c8fce7481b64ce6abd0132c9f2812480a168db4f25a691116340eca72740fbf03ec1b043fa8af8c7f211e21a9adedd5d88b62933e977c7462114bd6	\N	Phone	1	1800000000000	
\\x01a3185c5000d6db1f25e081c58661e5	bank	main	4711	\N	HOTP-SHA1-6	A-1	1	1800000000000	
\\xdb0f1d0396b91f4a11b2ccaeff68d48a	bank	main	4712	\\x04062d7ad2b45647f1bd4bd72d97f0ba403ee055c25f21fce2d883480e58c05b23e6d20dc5e418a2e8b1e76ad5db30698af63075b9ea1ddbc887b8033597d437fb	\N	Phone	1	1800000000000	
\\xa1b7d8888129f91cf6aaf726c19c4457	bank	main	4711	\\x04c6214544175a4095f0c315cab20e4a1471e189c7cb23737907ea2ef4bcc75f708d6ea6919597809b0cb541e0fcd543ed04e943526bc65dfc3530e8a9f1a1f4c0	\N	Phone	1	1800000000000	
\\x33e7518c17e4b71315a9014e850e6d86	bank	main	4715	\\x045f2fe2bc498e0bcaf54131ddd206f36a024db0a201d160b6c5673a48fe8b3db11456106b4ed676b2c2782a6edf8bce119d2bb510389060240e889e63bbef4633	\N	Phone	1	1800000000000	
\.


--
-- Data for Name: enterprises; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.enterprises (id, policy, policy_version) FROM stdin;
bank	{"leastTokenDigits": 6}	1
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.imports (name, line, digest, accounts, tokens, rejected) FROM stdin;
\.


--
-- Data for Name: logins; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.logins (id, enterprise, account_type, account_id, device, type, data_digest, granted, redeemed) FROM stdin;
01a3418f3000a369907fcaffcac50b9c	bank	main	4711	\\x792bc97b996e7f7d6ec677e98862fd3c	userPIN	\\x0707070707070707070707070707070707070707070707070707070707070707	1800691200000	\N
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.outbox (sequence, target, enterprise, account_type, account_id, subject, tries, due, state) FROM stdin;
5	1	bank	main	4711	792bc97b996e7f7d6ec677e98862fd3c	0	1800000000000	0
8	2	bank	main	4711	01a3185c5000587cdf1a87a7340a76df	0	1800000000000	0
9	1	bank	main	4711	01a3185c5000587cdf1a87a7340a76df	0	1800000000000	0
10	2	bank	main	4711	01a3185c50002a6837fb64620f21cc3a	0	1800000000000	0
11	1	bank	main	4711	01a3185c50002a6837fb64620f21cc3a	0	1800000000000	0
12	1	bank	main	4711	01a3185c50002a6837fb64620f21cc3a	0	1800000000000	0
17	1	bank	main	4712	db0f1d0396b91f4a11b2ccaeff68d48a	0	1800000000000	0
18	1	bank	main	4711	a1b7d8888129f91cf6aaf726c19c4457	0	1800000000000	0
22	1	bank	main	4714	33e7518c17e4b71315a9014e850e6d86	0	1800000000000	0
25	1	bank	main	4715	d0c869168e0a913bfd40ccda5ca3ddda	0	1800000000000	0
29	2	bank	main	4711	01a3418f30004d12445e645a0a2051a0	0	1800691200000	0
\.


--
-- Data for Name: rejected_rows; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.rejected_rows (import, line, reason) FROM stdin;
\.


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, number, state, closed, device, detail, evidence) FROM stdin;
01a3418f30004d12445e645a0a2051a0	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333431386633303030346431323434356536343561306132303531613003000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3418f30000e00000008000001a3419104c00f00000008000000000000000010000000105e496df86f77016b9e091e00d0658c39	2	1800691200000	1800691320000	\N	0	\N	\N	\N	\N
\.


--
-- Data for Name: verifier; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.verifier (id, store, epoch, audit_sequence, audit_moment, audit_hash, fingerprint_key, least_key_version, is_copy) FROM stdin;
1	\\xf55ce1465f6b88b8918d219938778aed	0	29	1800691200000	\\x3acf6ad53f4760804b2377f411aff195f79477abfa735c049f679eb3a981a3cf	\\x0100000001448cb7d6e0bacdbf4526e9133e31eaec4643459866429eb81a9eaa52df24b44217c2a6a21e3bf36b90da0980a5acb4b05df8cf738500b2e037c6e2df	0	0
\.


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (enterprise, type, id);


--
-- Name: activations activations_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_pkey PRIMARY KEY (id);


--
-- Name: archived_transactions archived_transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.archived_transactions
    ADD CONSTRAINT archived_transactions_pkey PRIMARY KEY (id);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (device, id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);


--
-- Name: bank_calls bank_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_calls
    ADD CONSTRAINT bank_calls_pkey PRIMARY KEY (enterprise, name);


--
-- Name: bank_tokens bank_tokens_name_key; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_name_key UNIQUE (name);


--
-- Name: bank_tokens bank_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_pkey PRIMARY KEY (id);


--
-- Name: countersign_commits countersign_commits_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_commits
    ADD CONSTRAINT countersign_commits_pkey PRIMARY KEY (writer);


--
-- Name: countersign_store countersign_store_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_store
    ADD CONSTRAINT countersign_store_pkey PRIMARY KEY (id);


--
-- Name: credentials credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (device, kind);


--
-- Name: devices devices_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);


--
-- Name: enterprises enterprises_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.enterprises
    ADD CONSTRAINT enterprises_pkey PRIMARY KEY (id);


--
-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (name);


--
-- Name: logins logins_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (sequence, target);


--
-- Name: rejected_rows rejected_rows_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_pkey PRIMARY KEY (import, line);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);


--
-- Name: verifier verifier_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.verifier
    ADD CONSTRAINT verifier_pkey PRIMARY KEY (id);


--
-- Name: accounts_of_person; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX accounts_of_person ON public.accounts USING btree (enterprise, person) WHERE (person IS NOT NULL);


--
-- Name: activations_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_closed ON public.activations USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: activations_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_of_account ON public.activations USING btree (enterprise, account_type, account_id);


--
-- Name: activations_open; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_open ON public.activations USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: archived_transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX archived_transactions_of_account ON public.archived_transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: attempts_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX attempts_made ON public.attempts USING btree (made);


--
-- Name: bank_calls_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX bank_calls_made ON public.bank_calls USING btree (made);


--
-- Name: credentials_counted_with; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX credentials_counted_with ON public.credentials USING btree (counted_with) WHERE (counted_with IS NOT NULL);


--
-- Name: devices_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_of_account ON public.devices USING btree (enterprise, account_type, account_id);


--
-- Name: devices_revoked_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_revoked_tokens ON public.devices USING btree (enterprise, name) WHERE ((token IS NOT NULL) AND (standing = 3));


--
-- Name: devices_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE UNIQUE INDEX devices_tokens ON public.devices USING btree (enterprise, name) WHERE ((token IS NOT NULL) AND (standing <> 3));


--
-- Name: logins_granted; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX logins_granted ON public.logins USING btree (granted);


--
-- Name: outbox_dead; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_dead ON public.outbox USING btree (enterprise, sequence) WHERE (state = 2);


--
-- Name: outbox_delivered; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_delivered ON public.outbox USING btree (due) WHERE (state = 1);


--
-- Name: outbox_due; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_due ON public.outbox USING btree (due) WHERE (state = 0);


--
-- Name: outbox_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_of_account ON public.outbox USING btree (enterprise, account_type, account_id, sequence) WHERE (state = 0);


--
-- Name: transactions_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_closed ON public.transactions USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_of_account ON public.transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: transactions_pending; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_pending ON public.transactions USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: accounts accounts_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: activations activations_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: bank_tokens bank_tokens_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: credentials credentials_device_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_device_fkey FOREIGN KEY (device) REFERENCES public.devices(id);


--
-- Name: devices devices_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: rejected_rows rejected_rows_import_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_import_fkey FOREIGN KEY (import) REFERENCES public.imports(name);


--
-- Name: transactions transactions_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- PostgreSQL database dump complete
--

\unrestrict aMJwnlDaPUqNlrpufwkwD19AWpL3EvSlpSLDYMdg0jaKX8Shf7vdsxRgXgTKLOA

