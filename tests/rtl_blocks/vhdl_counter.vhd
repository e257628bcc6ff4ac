-- SPDX-License-Identifier: Apache-2.0
-- AXI4-Lite in VHDL: word 0 counts clock cycles while word 1 is not 0, and interrupts when it
-- reaches word 2.  Word 4 is VERSION where the other two generics are as they should be.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_counter is
  generic (
    MODE    : string  := "unnamed";
    OFFERED : boolean := false;
    VERSION : integer := 1);
  port (
    aclk, aresetn : in std_logic;
    s_axi_awaddr  : in std_logic_vector(5 downto 0);
    s_axi_awvalid : in std_logic;
    s_axi_awready : out std_logic;
    s_axi_wdata   : in std_logic_vector(31 downto 0);
    s_axi_wstrb   : in std_logic_vector(3 downto 0);
    s_axi_wvalid  : in std_logic;
    s_axi_wready  : out std_logic;
    s_axi_bresp   : out std_logic_vector(1 downto 0);
    s_axi_bvalid  : out std_logic;
    s_axi_bready  : in std_logic;
    s_axi_araddr  : in std_logic_vector(5 downto 0);
    s_axi_arvalid : in std_logic;
    s_axi_arready : out std_logic;
    s_axi_rdata   : out std_logic_vector(31 downto 0);
    s_axi_rresp   : out std_logic_vector(1 downto 0);
    s_axi_rvalid  : out std_logic;
    s_axi_rready  : in std_logic;
    irq           : out std_logic);
end entity;

architecture rtl of vhdl_counter is
  signal count, enabled, limit : unsigned(31 downto 0) := (others => '0');
  signal bvalid, rvalid        : std_logic := '0';
  signal take                  : std_logic;
begin
  take <= s_axi_awvalid and s_axi_wvalid and (not bvalid or s_axi_bready);
  s_axi_awready <= take;
  s_axi_wready <= take;
  s_axi_bvalid <= bvalid;
  s_axi_rvalid <= rvalid;
  s_axi_arready <= not rvalid or s_axi_rready;
  s_axi_bresp <= "00";
  s_axi_rresp <= "00";
  irq <= '1' when limit /= 0 and count >= limit else '0';

  process (aclk)
  begin
    if rising_edge(aclk) then
      if enabled /= 0 then
        count <= count + 1;
      end if;
      if s_axi_bready = '1' then
        bvalid <= '0';
      end if;
      if take = '1' then
        bvalid <= '1';
        case s_axi_awaddr(3 downto 2) is
          when "00" => count <= unsigned(s_axi_wdata);
          when "01" => enabled <= unsigned(s_axi_wdata);
          when "10" => limit <= unsigned(s_axi_wdata);
          when others => null;
        end case;
      end if;
      if s_axi_rready = '1' then
        rvalid <= '0';
      end if;
      if s_axi_arvalid = '1' and (rvalid = '0' or s_axi_rready = '1') then
        rvalid <= '1';
        case s_axi_araddr(3 downto 2) is
          when "00" => s_axi_rdata <= std_logic_vector(count);
          when "01" => s_axi_rdata <= std_logic_vector(enabled);
          when "10" => s_axi_rdata <= std_logic_vector(limit);
          when others => s_axi_rdata <= (others => '0');
        end case;
        if s_axi_araddr(4) = '1' and MODE = "named" and OFFERED then
          s_axi_rdata <= std_logic_vector(to_unsigned(VERSION, 32));
        end if;
      end if;
      if aresetn = '0' then
        bvalid <= '0';
        rvalid <= '0';
        enabled <= (others => '0');
        limit <= (others => '0');
      end if;
    end if;
  end process;
end architecture;
